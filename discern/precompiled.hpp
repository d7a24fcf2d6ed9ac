// The headers that most translation units include and that are slow to parse. Only a precompiled
// header: every file still includes what it uses.
#pragma once

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>
