"""The paper's algorithms, by name and number; their compiled parts are in `hlta._kernels`.

| the paper | here |
|---|---|
| Algorithm 1, HLTA | `hierarchy.build_hierarchy` |
| Algorithm 2, LearnFlatModel | `flat_model.learn_flat_model` |
| StackModels (Section 5.1) | `flat_model.stack_models` |
| HardAssignment (Section 5.1) | `LatentTree.hard_assignment`, under the new flat model alone |
| Algorithm 3, BuildIslands | `islands.build_islands` |
| Algorithm 4, OneIsland, and the UD-test | `_kernels.one_island.one_island`, `ud_test` |
| ProjectData | `_kernels.document_groups.project_data` |
| LearnLCM | `_kernels.progressive_em.learn_lcm` |
| Algorithm 5, Pem-Lcm | `_kernels.progressive_em.pem_lcm` |
| Algorithm 6, Pem-Ltm-2l | `_kernels.progressive_em.pem_ltm_2l` |
| BridgeIslands (Section 5.2.3) | `bridges.bridge_islands` |
| progressive EM for bridges (Section 6.3) | `_kernels.bridge_em.pem_bridge` |
| downsampling (Section 7) | `documents.sampling.draw_rows` |
| batch and stepwise EM (Sections 6.1 and 7) | `learning.em.batch_em`, `stepwise_em` |
"""
