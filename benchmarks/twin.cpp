// The loop of hlta._kernels.propagation.accumulate_counts in C++, line by line, to see what Numba loses:
// the same tables, the same order of operations, the same results. K is the number of states. As the
// vectoriser of GCC 12 makes K = 8 two to three times slower than it can be, vectors are explicit.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

constexpr double STEP = 0x1p332, UNSTEP = 0x1p-332, HIGH = STEP, LOW = UNSTEP;
constexpr double LOG_STEP = 332 * 0.693147180559945309417232121458;
constexpr int FEW = 4;  // K is at most 8 here, so that further tiers never end a sum earlier

template <int K>
struct Lanes {  // K numbers, in registers of at most four
    static constexpr int WIDTH = K < 4 ? K : 4, PARTS = K / WIDTH;
    typedef double Part __attribute__((vector_size(8 * WIDTH)));
    typedef Part Loose __attribute__((aligned(8), may_alias));
    Part part[PARTS];

    static Lanes load(const double* from) {
        return each([=](int i) -> Part { return reinterpret_cast<const Loose*>(from)[i]; });
    }
    static Lanes spread(double x) { return each([=](int) { return Part{} + x; }); }
    template <class Function>
    static Lanes each(Function function) {
        Lanes result;
        for (int i = 0; i < PARTS; ++i) result.part[i] = function(i);
        return result;
    }
    void store(double* to) const {
        for (int i = 0; i < PARTS; ++i) reinterpret_cast<Loose*>(to)[i] = part[i];
    }
    double operator[](int k) const { return part[k / WIDTH][k % WIDTH]; }
    Lanes operator+(const Lanes& b) const { return each([&](int i) { return part[i] + b.part[i]; }); }
    Lanes operator*(const Lanes& b) const { return each([&](int i) { return part[i] * b.part[i]; }); }
    Lanes operator/(const Lanes& b) const { return each([&](int i) { return part[i] / b.part[i]; }); }
    Lanes operator*(double x) const { return each([&](int i) { return part[i] * x; }); }
    Lanes operator/(double x) const { return each([&](int i) { return part[i] / x; }); }
    Lanes at_most(double x) const {
        const Part limit = Part{} + x;
        return each([&](int i) { return part[i] < limit ? part[i] : limit; });
    }
    bool are_within(double low, double high) const {
        auto all = (part[0] >= low) & (part[0] <= high);
        for (int i = 1; i < PARTS; ++i) all &= (part[i] >= low) & (part[i] <= high);
        bool result = true;
        for (int i = 0; i < WIDTH; ++i) result &= all[i] != 0;
        return result;
    }
    Lanes with_first(double x) const {
        Lanes result = *this;
        result.part[0][0] = x;
        return result;
    }
};

inline bool within(double x) { return LOW <= x && x <= HIGH; }

inline void rescale(double& product, double& lift) {
    while (product > HIGH) { product *= UNSTEP; lift += 1.0; }
    while (0.0 < product && product < LOW) { product *= STEP; lift -= 1.0; }
}

[[gnu::noinline, gnu::cold]] void rescale_all(double* evidence, double* lift, int own_states) {
    for (int k = 0; k < own_states; ++k) rescale(evidence[k], lift[k]);
}

[[gnu::noinline, gnu::cold]] double balance(
    double* evidence, double* lift, const double* power, int own_states) {
    double top = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < own_states; ++k) {
        lift[k] += power[k];
        rescale(evidence[k], lift[k]);
        if (evidence[k] > 0.0) top = std::max(top, lift[k]);
    }
    for (int k = 0; k < own_states; ++k) {
        for (; lift[k] < top && evidence[k] > 0.0; lift[k] += 1.0) evidence[k] *= UNSTEP;
        lift[k] = 0.0;
    }
    return top;
}

template <int K>
inline Lanes<K> weighted_sum(const double* row, const Lanes<K>& weights, uint32_t own_states) {
    Lanes<K> total = Lanes<K>::load(row) * weights[0];
    for (int k = 1; k < std::min(FEW, K); ++k) total = total + Lanes<K>::load(row + k * K) * weights[k];
    if (own_states > FEW)
        for (int k = FEW; k < K; ++k) total = total + Lanes<K>::load(row + k * K) * weights[k];
    return total;
}

template <int K>
inline void add_weighted(
    double* counts, const Lanes<K>& weights, const Lanes<K>& lanes, uint32_t own_states) {
    for (int j = 0; j < std::min(FEW, K); ++j)
        (Lanes<K>::load(counts + j * K) + lanes * weights[j]).store(counts + j * K);
    if (own_states > FEW)
        for (int j = FEW; j < K; ++j)
            (Lanes<K>::load(counts + j * K) + lanes * weights[j]).store(counts + j * K);
}

template <int K>
double accumulate(
    const int64_t* __restrict indptr, const uint32_t* __restrict indices, int64_t begin,
    int64_t end, const uint32_t* __restrict word_parent, const double* __restrict factor,
    const uint32_t* __restrict parent, const uint32_t* __restrict depth,
    const uint32_t* __restrict start, const uint32_t* __restrict own_states,
    const double* __restrict rows,
    const double* __restrict power, bool guarded, double* __restrict scratch,
    double* __restrict lift, uint32_t* __restrict active, uint32_t* __restrict stop,
    double* __restrict latent_counts, double* __restrict word_counts) {
    using Vector = Lanes<K>;
    const Vector ones = Vector::spread(1.0);
    double total = 0.0;
    for (int64_t d = begin; d < end; ++d) {
        const uint32_t* words = indices + indptr[d];
        const int64_t size = indptr[d + 1] - indptr[d];
        double shift = 0.0, product = 1.0;
        uint32_t deepest = 0;
        for (int64_t i = 0; i < size; ++i) {
            const uint32_t w = words[i], p = word_parent[w], at = depth[p];
            double* above = scratch + size_t{p} * (2 * K);
            const Vector factors = Vector::load(factor + size_t{w} * K);
            const Vector evidence = Vector::load(above);
            shift += factors[0];
            const bool fresh = evidence[1] == 0.0;
            active[stop[at]] = p;
            stop[at] += fresh;
            const Vector now = (factors * (fresh ? ones : evidence)).with_first(1.0);
            now.store(above);
            if (guarded && !now.are_within(LOW, HIGH))
                rescale_all(above, lift + size_t{p} * K, own_states[p]);
            deepest = std::max(deepest, at);
        }
        for (uint32_t at = deepest; at > 0; --at) {
            uint32_t next = stop[at - 1];
            for (uint32_t slot = start[at], last = stop[at]; slot < last; ++slot) {
                const uint32_t v = active[slot], p = parent[v];
                const double* row = rows + size_t{v} * (2 * K * K);
                double* mine = scratch + size_t{v} * (2 * K);
                double* above = scratch + size_t{p} * (2 * K);
                Vector own = Vector::load(mine);
                if (guarded) {
                    const size_t first = size_t{v} * K;
                    const Vector powers = Vector::load(lift + first) + Vector::load(power + first);
                    if (powers.are_within(0.0, 0.0) && own.are_within(LOW, HIGH)) {
                        powers.store(lift + first);
                    } else {
                        shift += LOG_STEP * balance(mine, lift + first, power + first, own_states[v]);
                        own = Vector::load(mine);
                    }
                }
                const Vector mu = weighted_sum<K>(row, own, own_states[v]);
                mu.store(mine + K);
                product *= mu[0];
                if (!within(product)) { shift += std::log(product); product = 1.0; }
                const Vector evidence = Vector::load(above);
                const bool fresh = evidence[1] == 0.0;
                active[next] = p;
                next += fresh;
                const Vector now = mu / mu[0] * (fresh ? ones : evidence);
                now.store(above);
                if (guarded && !now.are_within(LOW, HIGH))
                    rescale_all(above, lift + size_t{p} * K, own_states[p]);
            }
            stop[at - 1] = next;
        }
        {
            if (scratch[1] == 0.0) ones.store(scratch);
            if (guarded) shift += LOG_STEP * balance(scratch, lift, power, own_states[0]);
            Vector posterior = Vector::load(rows + K * K) * Vector::load(scratch);
            double likelihood = 0.0;
            for (int k = 0; k < K; ++k) likelihood += posterior[k];
            posterior = (posterior / likelihood).at_most(1.0);
            posterior.store(scratch + K);
            scratch[0] = 1.0;
            scratch[1] = 0.0;
            stop[0] = start[0];
            total += shift + std::log(product) + std::log(likelihood);
            (Vector::load(latent_counts) + posterior).store(latent_counts);
        }
        for (uint32_t at = 1; at <= deepest; ++at) {
            for (uint32_t slot = start[at], last = stop[at]; slot < last; ++slot) {
                const uint32_t v = active[slot];
                const double* row = rows + size_t{v} * (2 * K * K) + K * K;
                double* mine = scratch + size_t{v} * (2 * K);
                double* counts = latent_counts + size_t{v} * (K * K);
                const double* above = scratch + size_t{parent[v]} * (2 * K);
                const Vector weights = Vector::load(above + K) / Vector::load(mine + K);
                const Vector evidence = Vector::load(mine);
                const uint32_t of_parent = own_states[parent[v]];
                const Vector posterior = weighted_sum<K>(row, weights, of_parent);
                (posterior * evidence).at_most(1.0).store(mine + K);
                add_weighted<K>(counts, weights, evidence, of_parent);
                mine[0] = 1.0;
                mine[1] = 0.0;
            }
            stop[at] = start[at];
        }
        for (int64_t i = 0; i < size; ++i) {
            const uint32_t w = words[i];
            double* counts = word_counts + size_t{w} * K;
            const double* above = scratch + size_t{word_parent[w]} * (2 * K);
            (Vector::load(counts) + Vector::load(above + K)).store(counts);
        }
    }
    return total;
}

}  // namespace

extern "C" double accumulate_counts(
    const int64_t* indptr, const uint32_t* indices, int64_t begin, int64_t end, int64_t n_states,
    const uint32_t* word_parent, const double* factor, const uint32_t* parent,
    const uint32_t* depth, const uint32_t* start, const uint32_t* own_states, const double* rows,
    const double* power, bool guarded, double* scratch, double* lift, uint32_t* active, uint32_t* stop,
    double* latent_counts, double* word_counts) {
    const auto compiled = n_states == 2   ? accumulate<2>
                          : n_states == 4 ? accumulate<4>
                          : n_states == 8 ? accumulate<8>
                                          : nullptr;
    return compiled ? compiled(indptr, indices, begin, end, word_parent, factor, parent, depth,
                               start, own_states, rows, power, guarded, scratch, lift, active, stop,
                               latent_counts, word_counts)
                    : std::numeric_limits<double>::quiet_NaN();
}
