// SPDX-License-Identifier: GPL-2.0
// linked.rs - a program to be recorded: recursion with values to drop, a closure, a second thread.
use std::collections::BTreeMap;

#[inline(never)]
fn deeper(x: u64, depth: u32, seen: &mut BTreeMap<u64, String>) -> u64 {
    let mut y = x | 1;
    for _ in 0..500 {
        y ^= y << 13 ^ y >> 7;
    }
    let name = format!("{}", y);
    let below = if depth > 0 { deeper(y, depth - 1, seen) } else { 0 };
    seen.insert(y & 63, name);
    below ^ y
}

#[inline(never)]
fn work(rounds: u64) -> u64 {
    let mut seen = BTreeMap::new();
    (0..rounds).map(|i| deeper(i, 20, &mut seen)).fold(0, |a, b| a ^ b)
}

fn main() {
    let second = std::thread::spawn(|| work(500));
    let first = work(500);
    println!("{}", first ^ second.join().unwrap());
}
