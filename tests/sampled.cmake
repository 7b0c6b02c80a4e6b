# sectile_sampled(NAME ONE_IN RESULT): whether NAME is in the sample that always runs. One in so many is, by a hash of its
# name: no other's coming or going changes that.
function(sectile_sampled name one_in result)
  string(MD5 hash "${name}")
  string(SUBSTRING "${hash}" 0 7 hash)
  math(EXPR place "0x${hash} % ${one_in}")
  set(in_sample FALSE)
  if(place EQUAL 0)
    set(in_sample TRUE)
  endif()
  set(${result} ${in_sample} PARENT_SCOPE)
endfunction()
