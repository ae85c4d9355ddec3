//! The memory of the module: a stack of blocks that grows upwards.
//!
//! Almost all values of this crate are freed in the reverse order of their allocation. A block that is freed earlier waits
//! until those above it are free. Each freed block is overwritten with zeros, because it may hold parts of a witness.
use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32::{memory_grow, memory_size};
use core::cell::Cell;
use core::ptr::{null_mut, write_bytes};

const PAGE_BYTES: usize = 65_536;

/// The header in front of each block.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Header {
    /// The header of the block below; 0 for the lowest block.
    below: usize,
    /// The first free byte before this block was added.
    start: usize,
    is_free: bool,
}

extern "C" {
    /// The first byte after the stack and the constants, by the linker.
    static __heap_base: u8;
}

struct StackAllocator {
    /// The first free byte; 0 before the first allocation.
    top: Cell<usize>,
    /// The header of the highest block; 0 if there is none.
    last: Cell<usize>,
}

// The module has one thread.
unsafe impl Sync for StackAllocator {}

#[global_allocator]
static ALLOCATOR: StackAllocator = StackAllocator { top: Cell::new(0), last: Cell::new(0) };

// Blocks do not overlap, and lie within the memory: `top` only passes a block after the memory has grown.
unsafe impl GlobalAlloc for StackAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = if self.top.get() == 0 { &raw const __heap_base as usize } else { self.top.get() };
        let block = (start + size_of::<Header>()).next_multiple_of(layout.align().max(align_of::<Header>()));
        let Some(end) = block.checked_add(layout.size()) else { return null_mut() };
        let available = memory_size(0) * PAGE_BYTES;
        if end > available && memory_grow(0, (end - available).div_ceil(PAGE_BYTES)) == usize::MAX {
            return null_mut();
        }
        let header = block - size_of::<Header>();
        *(header as *mut Header) = Header { below: self.last.get(), start, is_free: false };
        self.last.set(header);
        self.top.set(end);
        block as *mut u8
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        write_bytes(block, 0, layout.size());
        (*(block as *mut Header).sub(1)).is_free = true;
        while self.last.get() != 0 {
            let header = self.last.get() as *mut Header;
            let Header { below, start, is_free } = *header;
            if !is_free {
                return;
            }
            write_bytes(header, 0, 1);
            self.last.set(below);
            self.top.set(start);
        }
    }
}
