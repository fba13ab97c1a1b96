// SPDX-License-Identifier: GPL-2.0
// probed.rs - a function in a module for user probes, called as often as the argument says.
mod inner {
    #[inline(never)]
    pub fn add(n: i64) -> i64 {
        // The compiler must neither drop the call nor know its result.
        unsafe { -std::ptr::read_volatile(&n) }
    }
}

fn main() {
    let n: i64 = std::env::args().nth(1).map_or(0, |a| a.parse().unwrap());
    for i in 0..n {
        assert_eq!(inner::add(i), -i);
    }
}
