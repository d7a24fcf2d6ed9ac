// The headers that most translation units include and that are slow to parse. Only a precompiled
// header: every file still includes what it uses.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>
#include <string>
#include <variant>
#include <vector>
