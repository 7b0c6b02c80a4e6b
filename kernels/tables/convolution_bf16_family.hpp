// Which members of convolution_bf16_family are fast, as measured: data for picks, see dsl/launch/measured.hpp.
// Made by `sectile tune --table TABLE.json --header`; a change by hand is lost.
//   NVIDIA H200: 77 problems, 2026-11-29, CUDA 13.0, driver for CUDA 13.0
#pragma once
#include <sectile/dsl/launch/measured.hpp>
#include <sectile/kernels/convolution_family.hpp>

namespace sectile {

namespace kernels::tables {

inline constexpr measured_shape convolution_bf16_family_0[] = {
    {{128, 1280, 9, 1280}, 27, "anmc~~~~~j~~{xl~``if`~qaby~oz~}~"},
    {{128, 1280, 9, 2560}, 27, "`lk`~~~}~h}~ytj~``hd`~p``z~n{}|~"},
    {{512, 640, 9, 640}, 25, "`fe`z~~v{dw~sofz``ca`~h``gw`tttv"},
    {{512, 1280, 9, 640}, 21, "`ed`x~~txct~qndx``b``oh``gp`utyz"},
    {{512, 1280, 9, 1280}, 28, "`ba`u~~qu`q~mjau`````me``gt`oonm"},
    {{512, 1280, 9, 2560}, 28, "`cb`v~~qw`r~njbv`````og``m}doohh"},
    {{1568, 1024, 9, 1024}, 24, "hvukc~}~~sa~~~t~ggsohqkjiv~k|}t}"},
    {{1800, 1024, 9, 512}, 23, "bnmd`~tt~l`~nsmtaakjbgdeakr`qptw"},
    {{2048, 320, 9, 320}, 21, "`hf`z~~w{fx~`qfa``dc`og```i`{|~~"},
    {{2048, 640, 9, 320}, 22, "cnle{~|x~ly~bxleabjjbrocekrd~~~~"},
    {{2048, 640, 9, 640}, 22, "`ji`{~yx}hx~`sic``ge`roaalwd{|lu"},
    {{2048, 640, 9, 1280}, 22, "`ih`|~xy~fy~`rhb``fc`so``oyfwwfk"},
    {{2048, 640, 9, 1920}, 31, "`gf`z~tvzcu~`nd```c``po``n{eutig"},
    {{2048, 1280, 9, 640}, 13, "`gh``~qjue`~`oef``bb`~~~~~p~lp``"},
    {{2048, 1280, 9, 1280}, 29, "`gh``~pitf`~`qge``d``~~~~~x~omfe"},
    {{2048, 1280, 9, 2560}, 31, "`ln``~skwk`~axmi``j``~~~~~~~usfe"},
    {{3136, 512, 9, 512}, 23, "`ljbe~wz~jc~slky``ig`c`b`jy`ilqs"},
    {{3136, 2048, 1, 1024}, 3, "lhhk`~vq{l`~mogqhiepg~~~~~m~orlk"},
    {{3136, 2048, 1, 512}, 15, "ojiq`~uqzp`qmohomohwk~~~~~j~nspm"},
    {{3136, 512, 1, 2048}, 12, "`geba~qqtga~ngfq``de```d`ci`eg`a"},
    {{5832, 512, 9, 1024}, 9, "jytaa~|s~o`~iaxqabwsk~~~~~~~bfcd"},
    {{8192, 320, 9, 320}, 13, "`````~q````~`o`````c`~~~~~d~jlf`"},
    {{8192, 320, 9, 640}, 28, "`````~o````~`o`````d`~~~~~l~lm``"},
    {{8192, 320, 9, 960}, 13, "`````~o````~`o`````c`~~~~~t~mn``"},
    {{8192, 320, 1, 960}, 13, "bb`e`~o``d`u`o```bbja~~~~~b~gkfh"},
    {{8192, 640, 9, 320}, 28, "`khb`~xphh`~`qh```gf`~~~~~q~nqfn"},
    {{8192, 640, 9, 640}, 31, "`mka`~umfj`~`tj```je`~~~~~~~rt`j"},
    {{8192, 640, 9, 1280}, 31, "`urd`~{sjq`~`}r``bqjd~~~~~~~z|cl"},
    {{8192, 640, 9, 1920}, 31, "cwthd~~wnsc~`~s`cdtlf~~~~~|~|~cm"},
    {{8192, 512, 9, 512}, 30, "oywhj~~~~vh~rjvzkltsp~~~~~~~gkop"},
    {{8712, 512, 9, 256}, 16, "nyvkf~~}~wd~qhuzopuun~~~~~u~ux~~"},
    {{12544, 256, 9, 256}, 14, "esog`~wozq`~f`ombcnne~~~~~l~glge"},
    {{12544, 1024, 1, 512}, 20, "ttmk`~vy{zbjhgkkrlmrm~~~~~f~glnn"},
    {{12544, 1024, 1, 256}, 20, "njin`~omt|``fdliknnyk~~~~~e~fkpq"},
    {{12544, 256, 1, 1024}, 14, "oqmnd~zr{td~ldoqjlptm~~~~~j~afmo"},
    {{12544, 512, 1, 1024}, 2, "fmkf`~vqzt`xgekkdeklf~~~~~g~`ahh"},
    {{12544, 512, 9, 512}, 30, "frod`~xp|p`~d`nk``oge~~~~~~~``kb"},
    {{12544, 2048, 1, 1024}, 18, "ryuma~~x~sa~jqmpijmwq~~~~~~~rusl"},
    {{12544, 2048, 1, 512}, 20, "osoo`~um{w`~ejhiiipom~~~~~~~lppl"},
    {{12544, 512, 1, 2048}, 18, "jrof`~qwuq`~bbnhabnma~~~~~~~d`ja"},
    {{20808, 256, 9, 512}, 30, "csqd`~zq~o`~f`nnccolc~~~~~v~adop"},
    {{32768, 320, 9, 320}, 3, "`ebhc~~e`db~itbnl`cfb~~~~~m~supe"},
    {{32768, 320, 9, 640}, 3, "`gdg`~{c`c`~`w````db`~~~~~~~vx`d"},
    {{32768, 320, 9, 960}, 3, "`gcga~zb`ba~`x````db`~~~~~}~vx`c"},
    {{32768, 320, 1, 960}, 20, "`fck`~o``dbr`s`ab`d`d~~~~~e~psei"},
    {{36992, 256, 9, 256}, 16, "j{yld~~x~zb~kcwsnnsvn~~~~~t~hkwy"},
    {{38088, 256, 9, 128}, 19, "elja`~uo{l`{c`flccike~~~~~i~`afg"},
    {{50176, 128, 9, 128}, 18, "`nmb`~gk`t`p``k```lia~~~~~`~```c"},
    {{50176, 512, 1, 256}, 20, "oljj`~mls|``d`jgkjntl~~~~~h~`app"},
    {{50176, 512, 1, 128}, 8, "rmkvf~iqo~i`g`mlkmo~p~~~~~q~gkst"},
    {{50176, 128, 1, 512}, 7, "lrpqt~qo`zvp`iu``eruq~~~~~i~djct"},
    {{50176, 256, 1, 512}, 20, "qrlkc~sttyejfcljokmqm~~~~~f~`cpp"},
    {{50176, 256, 9, 256}, 20, "s~yeb~~s~~e~ldvvqlzro~~~~~~~dhso"},
    {{50176, 1024, 1, 512}, 17, "npoo`~ukzu`~bcdheeksn~~~~~~~flpn"},
    {{50176, 1024, 1, 256}, 2, "njgq`~gnkr`~````oimkl~~~~~~~eiql"},
    {{50176, 256, 1, 1024}, 20, "otrgb~}pz{b~jdlpokqon~~~~~~~aeoq"},
    {{50176, 512, 1, 1024}, 20, "ousl`~|p~xd~hcjunmrsn~~~~~~~dhoq"},
    {{156800, 128, 9, 128}, 20, "`xvla~x|`xfv``p`a`uro~~~~~f~`bdo"},
    {{159048, 128, 9, 64}, 20, "dwulc~xy`wds`alab`svo~~~~~o~`det"},
    {{200704, 64, 1, 64}, 4, "fihvk~kk`~p```e```i~p~~~~~i~`bly"},
    {{200704, 64, 9, 64}, 10, "`hkfp~~l`rop`ahce`hhn~~~~~k~jdhj"},
    {{200704, 256, 1, 64}, 20, "rmlog}`ot~r```eijllwm~~~~~d~fgqn"},
    {{200704, 64, 1, 256}, 6, "bgbjp~l``qpd``b```gmi~~~~~i~`e`m"},
    {{200704, 128, 1, 256}, 7, "jpqor~ko`}u``ep``drsq~~~~~g~dhar"},
    {{200704, 128, 9, 128}, 31, "`zwj`~ku`|a~``q```vop~~~~~~~```n"},
    {{200704, 512, 1, 256}, 20, "lijh`~olr|`~a`dghgkql~~~~~~~`aoo"},
    {{200704, 512, 1, 128}, 8, "rijo`~blk~d~``degglzo~~~~~~~cewo"},
    {{200704, 128, 1, 512}, 7, "mppnr~sn`zu~`gubhhpqq~~~~~~~ehir"},
    {{200704, 256, 1, 512}, 20, "opof`~xxtub~eehnqposn~~~~~~~bfpr"},
    {{304200, 64, 9, 128}, 10, "akpgp~~p`to~chjhi`kmp~~~~~u~pfkm"},
    {{645248, 64, 9, 64}, 10, "`ipgm~~q`yo}edgjl`iip~~~~~y~oemi"},
    {{802816, 64, 1, 64}, 10, "`c`ll~jb`~o~``````dyj~~~~~~~``hm"},
    {{802816, 64, 9, 64}, 10, "bgpfm~~q`zo~edfil`gfr~~~~~~~peph"},
    {{802816, 256, 1, 64}, 28, "qnmig~`np~t~```eijloq~~~~~~~``qp"},
    {{802816, 64, 1, 256}, 10, "`dado~l``qo~``````dgf~~~~~~~`a`i"},
    {{802816, 128, 1, 256}, 28, "hrslp~is`|v~``h```rts~~~~~~~ae`s"},
    {{802816, 64, 49, 8}, 5, "``~a`o```~~~``~~~~~~~~~~~~~~~`~~"},
};
inline constexpr measured_table convolution_bf16_family[] = {
    {"NVIDIA H200", 0xcc82a5e35ea6fb6d, {mode_named("M"), mode_named("K"), mode_named("T"), mode_named("C")}, convolution_bf16_family_0, 77},
};

}  // namespace kernels::tables

template <>
inline constexpr measured_table_list measured_tables<kernels::convolution_bf16_family>{kernels::tables::convolution_bf16_family, 1};

}  // namespace sectile
