pragma circom 2.1.6;

// OneHot(n): turns an index, given as n bits (lowest first), into 2^n flags of which exactly one is 1.
//
//   index[n]   the index; the caller has already constrained every bit to 0 or 1
//   flag[2^n]  flag[i] is 1 when i is the index, else 0
//
// Built by halving: the flags of the lower n-1 bits are split in two by the highest bit. The upper half is a
// product (one constraint each); the lower half is what remains, which costs nothing.
template OneHot(n) {
    signal input index[n];
    signal output flag[1 << n];

    if (n == 1) {
        flag[0] <== 1 - index[0];
        flag[1] <== index[0];
    } else {
        var half = 1 << (n - 1);
        component lower = OneHot(n - 1);
        for (var i = 0; i < n - 1; i++) {
            lower.index[i] <== index[i];
        }
        for (var i = 0; i < half; i++) {
            flag[half + i] <== lower.flag[i] * index[n - 1];
            flag[i] <== lower.flag[i] - flag[half + i];
        }
    }
}
