// SPDX-License-Identifier: GPL-2.0
// probed.go - a function for user probes, called as often as the argument says, in four goroutines
// whose stacks grow.
package main

import (
	"os"
	"strconv"
)

//go:noinline
func add(n int64) int64 {
	return -n
}

// deep makes the stack of its goroutine grow, so that the runtime moves it.
//
//go:noinline
func deep(n int) int64 {
	var room [512]int64
	room[n%512] = int64(n)
	if n > 0 {
		return deep(n-1) + room[n%512]
	}
	return room[0]
}

func main() {
	n, _ := strconv.ParseInt(os.Args[1], 10, 64)
	done := make(chan bool)
	for g := int64(0); g < 4; g++ {
		go func(g int64) {
			right := true
			for i := g; i < n; i += 4 {
				right = right && add(i) == -i
				deep(20)
			}
			done <- right
		}(g)
	}
	for g := 0; g < 4; g++ {
		if !<-done {
			os.Exit(1)
		}
	}
}
