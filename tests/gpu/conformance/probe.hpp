// Small experiments that answer what no document says about wgmma. docs/hopper-numerics.md tells what came out.
#pragma once

namespace sectile::conformance {

struct gpu_runner;

/// Runs them all on device 0 and prints what came out, a few lines for each question.
void probe();

// By subject; the letters are those of the printed questions.
void probe_specials(gpu_runner&);  // (a) zeros, (b) overflow, (d) NaN and infinities, (l) tf32, (o) negation
void probe_precision(
    gpu_runner&);  // (c, p) alignment, (f) subnormals, (e) D = f16, (g) known vectors, (q) order, (r) floor
void probe_integers(gpu_runner&);     // (m) saturation
void probe_sparse(gpu_runner&);       // (h) metadata
void probe_mma_sync();                // (n) mma.sync beside wgmma
void probe_descriptors(gpu_runner&);  // (i) K beyond a span, (j) base offset, (k) starts inside a row

}  // namespace sectile::conformance
