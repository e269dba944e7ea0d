"""Clients of multi-freq-ldpy 0.2.5: three values of each attribute, epsilon = 1; of reports over time, 1 for all
of them and 1/2 for the first.

They are read as they are before numba compiles them (with NUMBA_DISABLE_JIT=1). Hashes are looked up, for a few seeds.
Tuples have two attributes, of two values each. Those clients are missing of which something is not yet known to the
authors.
"""

from itertools import product

from local import ITEMS, SEEDS, Hashes, claimed, plain
from multi_freq_ldpy.long_freq_est import L_ADP, L_GRR, L_LH, L_OSUE, L_OUE, L_SOUE, L_SUE, dBitFlipPM
from multi_freq_ldpy.long_mdim_freq_est import L_SMP_Solution, L_SPL_Solution
from multi_freq_ldpy.mdim_freq_est import SMP_solution, SPL_solution
from multi_freq_ldpy.pure_frequency_oracles import ADP, GRR, HE, LH, SS, UE

for module in (LH, L_LH):
    module.maxsize, module.xxhash = SEEDS, Hashes
TUPLES = list(product(range(2), repeat=2))
SIZES = [2, 2]


def one(client, *settings, epsilon="1"):
    return claimed(lambda item: plain(client(item, 3, *settings)), ITEMS, epsilon)


def both(client, *settings, epsilon="1"):
    return claimed(lambda items: plain(client(items, SIZES, *settings)), TUPLES, epsilon)


grr, ss = one(GRR.GRR_Client, 1.0), one(SS.SS_Client, 1.0)
he = claimed(lambda item: HE.HE_Client(item, 3, 1.0), ITEMS, noise="ideal")
sue, oue = one(UE.UE_Client, 1.0, False), one(UE.UE_Client, 1.0, True)
blh, olh = one(LH.LH_Client, 1.0, False), one(LH.LH_Client, 1.0, True)
adp = one(ADP.ADP_Client, 1.0)
the = claimed(lambda item: HE.HE_Client(item, 3, 1.0) > 0.67, ITEMS)

l_grr, l_adp = one(L_GRR.L_GRR_Client, 1.0, 0.5, epsilon="1/2"), one(L_ADP.L_ADP_Client, 1.0, 0.5, epsilon="1/2")
l_blh, l_olh = (one(L_LH.L_LH_Client, 1.0, 0.5, best, epsilon="1/2") for best in (False, True))
l_oue, l_sue = one(L_OUE.L_OUE_Client, 1.0, 0.5, epsilon="1/2"), one(L_SUE.L_SUE_Client, 1.0, 0.5, epsilon="1/2")
l_osue, l_soue = one(L_OSUE.L_OSUE_Client, 1.0, 0.5, epsilon="1/2"), one(L_SOUE.L_SOUE_Client, 1.0, 0.5, epsilon="1/2")
d_bits = one(dBitFlipPM.dBitFlipPM_Client, 3, 2, 1.0)

smp_grr, smp_ss, smp_adp = (both(getattr(SMP_solution, f"SMP_{name}_Client"), 2, 1.0) for name in ("GRR", "SS", "ADP"))
smp_ue, smp_lh = both(SMP_solution.SMP_UE_Client, 2, 1.0), both(SMP_solution.SMP_LH_Client, 2, 1.0)
spl_grr, spl_ss, spl_adp = (both(getattr(SPL_solution, f"SPL_{name}_Client"), 2, 1.0) for name in ("GRR", "SS", "ADP"))
spl_ue, spl_lh = both(SPL_solution.SPL_UE_Client, 2, 1.0), both(SPL_solution.SPL_LH_Client, 2, 1.0)

smp_l_grr, smp_l_oue, smp_l_osue, smp_l_sue, smp_l_soue, smp_l_adp = (
    both(getattr(L_SMP_Solution, f"SMP_L_{name}_Client"), 2, 1.0, 0.5, epsilon="1/2")
    for name in ("GRR", "OUE", "OSUE", "SUE", "SOUE", "ADP")
)
spl_l_grr, spl_l_oue, spl_l_osue, spl_l_sue, spl_l_soue, spl_l_adp = (
    both(getattr(L_SPL_Solution, f"SPL_L_{name}_Client"), 2, 1.0, 0.5, epsilon="1/2")
    for name in ("GRR", "OUE", "OSUE", "SUE", "SOUE", "ADP")
)
smp_d_bits = both(L_SMP_Solution.SMP_dBitFlipPM_Client, SIZES, 1, 2, 1.0)
spl_d_bits = both(L_SPL_Solution.SPL_dBitFlipPM_Client, SIZES, 1, 2, 1.0)
