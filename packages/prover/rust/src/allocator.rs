//! The memory of the module: a stack of blocks that grows upwards.
//!
//! Values of this crate are freed in the reverse order of their allocation, so a freed block is the last one. Each freed
//! block is overwritten with zeros, because it may hold parts of a witness.
use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32::{memory_grow, memory_size};
use core::cell::Cell;
use core::ptr::{null_mut, write_bytes};

const PAGE_BYTES: usize = 65_536;

extern "C" {
    /// The first byte after the stack and the constants, by the linker.
    static __heap_base: u8;
}

struct StackAllocator {
    /// The first free byte; 0 before the first allocation.
    top: Cell<usize>,
}

// The module has one thread.
unsafe impl Sync for StackAllocator {}

#[global_allocator]
static ALLOCATOR: StackAllocator = StackAllocator { top: Cell::new(0) };

// Blocks do not overlap, and lie within the memory: `top` only passes a block after the memory has grown.
unsafe impl GlobalAlloc for StackAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let top = if self.top.get() == 0 { &raw const __heap_base as usize } else { self.top.get() };
        let start = top.next_multiple_of(layout.align());
        let Some(end) = start.checked_add(layout.size()) else { return null_mut() };
        let available = memory_size(0) * PAGE_BYTES;
        if end > available && memory_grow(0, (end - available).div_ceil(PAGE_BYTES)) == usize::MAX {
            return null_mut();
        }
        self.top.set(end);
        start as *mut u8
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        write_bytes(block, 0, layout.size());
        if block as usize + layout.size() == self.top.get() {
            self.top.set(block as usize);
        }
    }
}
