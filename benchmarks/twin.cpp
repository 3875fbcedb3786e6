// The loop of hlta._kernels.propagation.accumulate_counts in C++, line by line, to see what Numba loses:
// the same tables, the same order of operations, the same results.

#include <cmath>
#include <cstdint>

namespace {

constexpr double STEP = 0x1p332, UNSTEP = 0x1p-332, HIGH = STEP, LOW = UNSTEP;
constexpr double LOG_STEP = 332 * 0.693147180559945309417232121458;

struct Row { double p00, p10, p01, p11, ratio, power, unmessage, unshift; };
struct Word { double factor, presence; };
struct Scratch { double product, lift, gain0, gain1; };
struct Count { double both, only, above, visits; };

inline bool within(double x) { return LOW <= x && x <= HIGH; }

struct Scaled { double product, lift; };

[[gnu::noinline, gnu::cold]] Scaled rescale(double product, double lift) {
    while (product > HIGH) { product *= UNSTEP; lift += 1.0; }
    while (product < LOW) { product *= STEP; lift -= 1.0; }
    return {product, lift};
}

struct Message { double ratio, gain0, gain1, more; };

[[gnu::noinline]] Message extreme(double ratio, double lift, const Row& row, double log_shift) {
    const Scaled scaled = rescale(ratio, lift);
    ratio = scaled.product;
    lift = scaled.lift;
    double one = ratio, zero = 1.0, base = 0.0;
    if (lift > 0.0) {
        one = 1.0;
        zero = 1.0 / ratio;
        base = std::log(ratio) + lift * LOG_STEP;
    }
    for (; lift > 0.0 && zero > 0.0; lift -= 1.0) zero *= UNSTEP;
    for (; lift < 0.0 && one > 0.0; lift += 1.0) one *= UNSTEP;
    const double m0 = row.p00 * zero + row.p10 * one;
    const double m1 = row.p01 * zero + row.p11 * one;
    return {m1 / m0, row.p10 * one / m0, row.p11 * one / m1, std::log(m0) + base - log_shift};
}

}  // namespace

extern "C" double accumulate_counts(
    const int64_t* __restrict indptr, const uint32_t* __restrict indices, int64_t begin,
    int64_t end, const uint32_t* __restrict word_parent, const Word* __restrict word_rows,
    const uint32_t* __restrict parent, const uint32_t* __restrict depth,
    const uint32_t* __restrict start, const Row* __restrict rows,
    const double* __restrict log_shift, bool guarded, Scratch* __restrict scratch, uint32_t* __restrict active,
    uint32_t* __restrict stop, Count* __restrict latent_counts, double* __restrict word_counts) {
    double total = 0.0;
    for (int64_t d = begin; d < end; ++d) {
        const uint32_t* words = indices + indptr[d];
        const int64_t size = indptr[d + 1] - indptr[d];
        double shift = 0.0, product = 1.0;
        uint32_t deepest = 0;
        for (int64_t i = 0; i < size; ++i) {
            const uint32_t w = words[i], p = word_parent[w], k = depth[p];
            shift += word_rows[w].presence;
            double x = scratch[p].product;
            const bool fresh = x == 0.0;  // adding it makes 1 of 0, without a branch
            active[stop[k]] = p;
            stop[k] += fresh;
            x = word_rows[w].factor * (x + static_cast<double>(fresh));
            if (guarded && !within(x)) {
                const Scaled scaled = rescale(x, scratch[p].lift);
                x = scaled.product;
                scratch[p].lift = scaled.lift;
            }
            scratch[p].product = x;
            if (k > deepest) deepest = k;
        }
        for (uint32_t k = deepest; k > 0; --k) {
            uint32_t above = stop[k - 1];
            for (uint32_t slot = start[k], last = stop[k]; slot < last; ++slot) {
                const uint32_t v = active[slot], p = parent[v];
                const Row& row = rows[v];
                Scratch& mine = scratch[v];
                const double r = mine.product * row.ratio;
                const double lift = mine.lift;
                mine.product = 0.0;
                double message;
                if (!guarded || (lift == 0.0 && row.power == 0.0 && within(r))) {
                    const double m0 = row.p00 + row.p10 * r, m1 = row.p01 + row.p11 * r;
                    const double inverse = 1.0 / (m0 * m1), inverse0 = m1 * inverse;
                    message = m1 * inverse0;
                    mine.gain0 = row.p10 * r * inverse0;
                    mine.gain1 = row.p11 * r * (m0 * inverse);
                    product *= m0 * row.unshift;
                    if (!within(product)) { shift += std::log(product); product = 1.0; }
                } else {
                    const Message extremes = extreme(r, lift + row.power, row, log_shift[v]);
                    message = extremes.ratio;
                    mine.gain0 = extremes.gain0;
                    mine.gain1 = extremes.gain1;
                    mine.lift = 0.0;
                    shift += extremes.more;
                }
                double x = scratch[p].product;
                const bool fresh = x == 0.0;
                active[above] = p;
                above += fresh;
                x = message * row.unmessage * (x + static_cast<double>(fresh));
                if (guarded && !within(x)) {
                    const Scaled scaled = rescale(x, scratch[p].lift);
                    x = scaled.product;
                    scratch[p].lift = scaled.lift;
                }
                scratch[p].product = x;
            }
            stop[k - 1] = above;
        }
        {
            const double x = scratch[0].product;
            const Message root = extreme((x == 0.0 ? 1.0 : x) * rows[0].ratio,
                                         scratch[0].lift + rows[0].power, rows[0], log_shift[0]);
            scratch[0] = {0.0, 0.0, root.gain1, 0.0};
            stop[0] = start[0];
            total += shift + std::log(product) + root.more;
            latent_counts[0].both += root.gain1;
        }
        for (uint32_t k = 1; k <= deepest; ++k) {
            for (uint32_t slot = start[k], last = stop[k]; slot < last; ++slot) {
                const uint32_t v = active[slot];
                const double above = scratch[parent[v]].gain0;
                const double both = above * scratch[v].gain1;
                const double only = (1.0 - above) * scratch[v].gain0;
                latent_counts[v].both += both;
                latent_counts[v].only += only;
                latent_counts[v].above += above;
                latent_counts[v].visits += 1.0;
                scratch[v].gain0 = both + only < 1.0 ? both + only : 1.0;
            }
            stop[k] = start[k];
        }
        for (int64_t i = 0; i < size; ++i) {
            const uint32_t w = words[i];
            word_counts[w] += scratch[word_parent[w]].gain0;
        }
    }
    return total;
}
