// The laws of contact beside each other, on paths along which the right force is known.
#pragma once

namespace plimsoll::bench {

/// Prints a row for each law and path.
int laws();

}  // namespace plimsoll::bench
