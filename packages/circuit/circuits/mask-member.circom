pragma circom 2.1.6;

include "circomlib/circuits/bitify.circom";
include "one-hot.circom";

// MaskMember(maskBits, indexBits, lowBits): requires that bit number `index` of `mask` is 1.
//
//   mask              a set: bit i is 1 when i belongs to it
//   index[indexBits]  the member, as bits (lowest first); the caller has already constrained each to 0 or 1
//
// Reading one bit out of 253 directly would take a product per bit, twice. It is cheaper in two steps: the upper
// bits of the index pick one chunk of 2^lowBits bits, the lower bits pick the bit within that chunk.
//
// It is also the range check of `mask`: a value of more than maskBits bits has no decomposition and is refused.
template MaskMember(maskBits, indexBits, lowBits) {
    // 2^253 is below the field's order and 2^254 is above it. With 254 bits a number would have two
    // decompositions, its own and its own plus the order, and the prover could choose the one he likes.
    assert(maskBits <= 253);
    assert(maskBits <= (1 << indexBits));
    assert(0 < lowBits && lowBits < indexBits);

    signal input mask;
    signal input index[indexBits];

    var chunkSize = 1 << lowBits;
    var chunks = 1 << (indexBits - lowBits);

    // 1. Each bit of the mask is 0 or 1, and together they are the mask.
    signal bit[maskBits] <== Num2Bits(maskBits)(mask);

    // 2. The chunk that the upper bits of the index name. A chunk's value is a sum of bits already constrained, so it
    //    is free; only its selection costs a product. Places at and past maskBits stay empty: an index in
    //    maskBits .. 2^indexBits-1 reads a 0 there and is refused at the end.
    component chunkIs = OneHot(indexBits - lowBits);
    for (var i = 0; i < indexBits - lowBits; i++) {
        chunkIs.index[i] <== index[lowBits + i];
    }
    signal selected[chunks];
    var chunk = 0;
    for (var c = 0; c < chunks; c++) {
        var value = 0;
        for (var b = 0; b < chunkSize; b++) {
            if (c * chunkSize + b < maskBits) {
                value += bit[c * chunkSize + b] * (1 << b);
            }
        }
        selected[c] <== chunkIs.flag[c] * value;
        chunk += selected[c];
    }

    // 3. The bit that the lower bits of the index name within that chunk.
    signal chunkBit[chunkSize] <== Num2Bits(chunkSize)(chunk);
    component bitIs = OneHot(lowBits);
    for (var i = 0; i < lowBits; i++) {
        bitIs.index[i] <== index[i];
    }
    signal found[chunkSize];
    var member = 0;
    for (var b = 0; b < chunkSize; b++) {
        found[b] <== bitIs.flag[b] * chunkBit[b];
        member += found[b];
    }

    // 4. It is set.
    member === 1;
}
