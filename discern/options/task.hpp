// What is to be predicted.
#pragma once

namespace discern {

enum class Task { classification, regression };

}  // namespace discern
