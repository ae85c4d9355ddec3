//! Sums of many groups of points in affine coordinates, where many additions share one inversion.
use alloc::vec::Vec;

use super::groups::Groups;
use crate::curve::Affine;
use crate::field::Field;

/// Additions that share an inversion, at most.
const MOST_ADDITIONS: usize = 4096;

/// One step of a round: replaces a pair of points by its sum, or moves a point that has no partner.
#[derive(Clone, Copy)]
struct Step {
    from: u32,
    to: u32,
    is_pair: bool,
}

/// How two points are added.
enum Rule {
    /// The points differ in x: their line has a slope.
    Chord,
    /// The points are equal: the slope is that of the tangent.
    Tangent,
    /// The sum is the first point, the second one, or infinity.
    First,
    Second,
    Infinity,
}

/// The memory of the sums, which later calls use again.
pub struct GroupSums<F> {
    steps: Vec<Step>,
    /// For each step the product of the denominators of all later steps.
    products: Vec<F>,
}

impl<F: Field> GroupSums<F> {
    pub fn new() -> Self {
        Self { steps: Vec::with_capacity(MOST_ADDITIONS), products: Vec::with_capacity(MOST_ADDITIONS) }
    }

    /// Replaces each group by its sum. An empty group stays empty. Every other group has one point afterwards.
    pub fn sum(&mut self, groups: &mut Groups<F>) {
        let Groups { counts, points } = groups;
        while counts.iter().any(|&count| count > 1) {
            let (mut from, mut to) = (0, 0);
            for count in counts.iter_mut() {
                for place in 0..count.div_ceil(2) {
                    let is_pair = 2 * place + 1 < *count;
                    self.steps.push(Step { from, to, is_pair });
                    from += 1 + is_pair as u32;
                    to += 1;
                    if self.steps.len() == MOST_ADDITIONS {
                        self.flush(points);
                    }
                }
                *count = count.div_ceil(2);
            }
            self.flush(points);
            points.truncate(to as usize);
        }
    }

    /// Runs the collected steps in order. No step writes to a place that a later step reads.
    fn flush(&mut self, points: &mut [Affine<F>]) {
        // Points with equal x are rare. Comparing all pairs would cost more than starting again after a product of zero.
        let mut exact = false;
        let mut product = self.multiply_denominators(points, exact);
        if product.is_zero() {
            exact = true;
            product = self.multiply_denominators(points, exact);
        }
        let mut inverse = product.invert();
        for (step, product) in self.steps.iter().zip(self.products.iter().rev()) {
            let from = step.from as usize;
            let sum = if step.is_pair {
                let [first, second] = [&points[from], &points[from + 1]];
                let rule = rule(first, second, exact);
                match rule {
                    Rule::First => *first,
                    Rule::Second => *second,
                    Rule::Infinity => Affine::INFINITY,
                    Rule::Chord | Rule::Tangent => {
                        let own = inverse.mul(product);
                        inverse = inverse.mul(&denominator(first, second, &rule));
                        line_sum(first, second, &numerator(first, second, &rule).mul(&own))
                    }
                }
            } else {
                points[from]
            };
            points[step.to as usize] = sum;
        }
        self.steps.clear();
    }

    /// Returns the product of all denominators of the steps.
    fn multiply_denominators(&mut self, points: &[Affine<F>], exact: bool) -> F {
        self.products.clear();
        let mut product = F::ONE;
        for step in self.steps.iter().rev() {
            self.products.push(product);
            if !step.is_pair {
                continue;
            }
            let [first, second] = [&points[step.from as usize], &points[step.from as usize + 1]];
            let rule = rule(first, second, exact);
            if matches!(rule, Rule::Chord | Rule::Tangent) {
                product = product.mul(&denominator(first, second, &rule));
            }
        }
        product
    }
}

/// Returns how to add two points. Without `exact`, it assumes that finite points differ in x.
#[inline(always)]
fn rule<F: Field>(first: &Affine<F>, second: &Affine<F>, exact: bool) -> Rule {
    if second.is_infinity() {
        Rule::First
    } else if first.is_infinity() {
        Rule::Second
    } else if !exact || !first.x.loose_sub(&second.x).is_zero() {
        Rule::Chord
    } else if first.y.loose_sub(&second.y).is_zero() {
        Rule::Tangent
    } else {
        Rule::Infinity
    }
}

#[inline(always)]
fn denominator<F: Field>(first: &Affine<F>, second: &Affine<F>, rule: &Rule) -> F {
    match rule {
        Rule::Tangent => first.y.add(&first.y),
        _ => second.x.loose_sub(&first.x),
    }
}

#[inline(always)]
fn numerator<F: Field>(first: &Affine<F>, second: &Affine<F>, rule: &Rule) -> F {
    match rule {
        Rule::Tangent => {
            let square = first.x.square();
            square.add(&square).add(&square)
        }
        _ => second.y.loose_sub(&first.y),
    }
}

/// Returns the sum of two points: the third point on their line, which has this slope, with the opposite y.
#[inline(always)]
fn line_sum<F: Field>(first: &Affine<F>, second: &Affine<F>, slope: &F) -> Affine<F> {
    let x = slope.square_sub(&first.x.loose_add(&second.x));
    let y = slope.mul_sub(&first.x.loose_sub(&x), &first.y);
    Affine { x, y }
}
