// SPDX-License-Identifier: GPL-2.0
// method.go - methods with and without a pointer, whose lines a test knows.
package main

import "os"

type Cart struct {
	items int
	total int
}

//go:noinline
func (c *Cart) Add(n int, price int) int {
	c.items += n
	c.total += n * price
	return c.total
}

//go:noinline
func (c Cart) Sum(x int) int {
	return c.items + x
}

func main() {
	c := &Cart{}
	for i := 0; i < 10; i++ {
		c.Add(i, 2)
		c.Sum(i)
	}
	os.Exit(c.total & 1)
}
