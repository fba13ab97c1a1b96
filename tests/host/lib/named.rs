// SPDX-License-Identifier: GPL-2.0
// named.rs - functions with parameters for probes by name.
mod inner {
    pub struct Pair {
        pub left: i32,
        pub right: u16,
    }

    #[inline(never)]
    pub fn scale(number: i64, by: u32) -> i64 {
        std::hint::black_box(number) * i64::from(by)
    }

    #[inline(never)]
    pub fn sum(pair: &Pair) -> i64 {
        i64::from(std::hint::black_box(pair.left)) + i64::from(pair.right)
    }
}

fn main() {
    let pair = inner::Pair { left: -3, right: 5 };
    println!("{} {}", inner::scale(-7, 3), inner::sum(&pair));
}
