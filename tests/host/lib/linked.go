// SPDX-License-Identifier: GPL-2.0
// linked.go - a program to be recorded: recursion, a callback of a package, goroutines.
package main

import (
	"fmt"
	"sort"
)

//go:noinline
func deeper(x uint64, depth int) uint64 {
	for i := 0; i < 500; i++ {
		x ^= x<<13 ^ x>>7
	}
	if depth > 0 {
		return deeper(x, depth-1) + 1
	}
	return x
}

func work(rounds int, done chan uint64) {
	var sum uint64
	for round := 0; round < rounds; round++ {
		numbers := make([]uint64, 100)
		for i := range numbers {
			numbers[i] = uint64(i*7919) % 101
		}
		sort.Slice(numbers, func(a, b int) bool { return deeper(numbers[a], 0) < deeper(numbers[b], 0) })
		sum += deeper(uint64(round), 20)
	}
	done <- sum
}

func main() {
	done := make(chan uint64)
	go work(150, done)
	go work(150, done)
	fmt.Println(<-done + <-done)
}
