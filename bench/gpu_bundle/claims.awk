# What figures say of the papers' claims. Reads one line `card|software RENDERER`, then the CSV of
# `kim2006 speed`, `floating` and `far2004 times`, as far as they are there. Times are on the wall: a
# card works beside the processor, whose own time does not count it.
BEGIN { FS = "," }
FNR == 1 {
  file = FILENAME
  sub(/.*\//, "", file)
  if (file == "drawn_by") {
    kind = $0
    sub(/ .*/, "", kind)
    renderer = $0
    sub(/^[^ ]* /, "", renderer)
  } else {
    for (i = 1; i <= NF; ++i) column[file, $i] = i
    has[file] = 1
  }
  next
}
function of(name) { return $column[file, name] }

file == "kim2006_speed.csv" && of("resolution") == 64 && of("object") ~ /^(bunny|pipe)$/ {
  wall[of("object"), of("method")] = of("wall_us")
  if (!(of("object") in faces)) objects[++object_count] = of("object")
  faces[of("object")] = of("faces")
  if (of("method") ~ /peel|additive/ && !(of("method") in known)) {
    known[of("method")] = 1
    methods[++method_count] = of("method")
  }
}
file == "floating.csv" && of("bodies") == 50 {
  floating[++floating_count] = of("scenario") " " of("system") " " of("threads")
  steps[floating_count] = of("steps_per_second")
  system_of[floating_count] = of("system")
}
file == "far2004_times.csv" && of("resolution") == 1400 && of("system") ~ /^far(_refined)?$/ {
  far[++far_count] = sprintf("%s, %s triangles, %s", of("scene"), of("triangles"), of("system"))
  frame[far_count] = of("wall_ms")
  is_published[far_count] = of("system") == "far"
}

END {
  print "Drawn by " renderer (kind == "card" ? "" : ", a software driver: these are no figures of a card")
  print ""
  print "[Kim2006, sec. 4]: ahead of the analytic method (Mirtich's) at 64 x 64 pixels, bunny and pipe."
  print "peel_log is as published; kept_ has the mesh uploaded before, and _current its context current, as"
  print "the paper has them; us on the wall."
  if (!has["kim2006_speed.csv"]) print "  no figure"
  for (k = 1; k <= object_count; ++k) {
    object = objects[k]
    printf "  %s, %d faces: mirtich %.4g, exact sums of ours %.4g\n", object, faces[object],
      wall[object, "mirtich"], wall[object, "exact_fast"]
    for (m = 1; m <= method_count; ++m) {
      method = methods[m]
      if (!((object, method) in wall)) continue
      ratio = wall[object, method] / wall[object, "mirtich"]
      printf "    %-30s %9.4g   %7.3g times mirtich   %s\n", method, wall[object, method], ratio,
        (ratio < 1 ? "holds" : "does not hold")
    }
  }
  print ""
  print "[Kim2006, fig. 9]: 50 bodies at 16 frames a second. Here steps a second of 5 ms, without a"
  print "picture; image_gl_peel is as published, fifty has the paper's numbers of triangles."
  if (floating_count == 0) print "  no figure"
  for (k = 1; k <= floating_count; ++k) {
    printf "  %-36s %9.4g steps a second", floating[k], steps[k]
    if (system_of[k] ~ /gl/) printf "   %s", (steps[k] >= 16 ? "holds" : "does not hold")
    print ""
  }
  print ""
  print "[Govindaraju2004, sec. 5]: 35 to 60 ms a frame at 1400 x 1400 pixels; far is as published."
  print "Times include the exact tests of what is left; scenes are like the paper's, not the same."
  if (far_count == 0) print "  no figure"
  for (k = 1; k <= far_count; ++k)
    printf "  %-56s %9.4g ms   %s\n", far[k], frame[k],
      (frame[k] <= 60 ? "holds" : "does not hold")
}
