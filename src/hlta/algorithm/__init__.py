"""The paper's algorithm, and what goes beyond it. Modules below are those of this package.

| the paper | here |
|---|---|
| Algorithm 1, HLTA | `hlta.hlta`; its loop is `hierarchy.build_hierarchy` |
| Algorithm 2, LearnFlatModel | `flat_model.learn_flat_model` |
| StackModels (Section 5.1) | `flat_model.stack_models` |
| HardAssignment (Section 5.1) | `LatentTree.hard_assignment`, under the new flat model alone |
| Algorithm 3, BuildIslands | `islands.build_islands` |
| Algorithm 4, OneIsland, and the UD-test | `one_island.one_island`, `one_island.ud_test` |
| ProjectData | `hlta._kernels.document_groups.project_data` |
| LearnLCM | `progressive_em.learn_lcm` |
| Algorithm 5, Pem-Lcm | `progressive_em.pem_lcm` |
| Algorithm 6, Pem-Ltm-2l | `progressive_em.pem_ltm_2l` |
| BridgeIslands (Section 5.2.3) | `bridges.bridge_islands` |
| progressive EM for bridges (Section 6.3) | `bridge_em.pem_bridge` |
| downsampling (Section 7) | `sampling.drawn` |
| batch and stepwise EM (Sections 6.1 and 7) | `em.batch_em`, `em.stepwise_em` |
| beyond the paper: structure | `refinement.refine_structure`, `consensus.agreed_partitions` |
| beyond the paper: parameters | `states.learn_states` |
"""
