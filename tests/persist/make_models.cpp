// Writes the sample models as files, a folder of them:
//
//   make_models FOLDER PREFIX        FOLDER/PREFIXtwo-classes.safetensors, ...
//
// With every new version N of the model file format, `make_models tests/persist/models vN-` writes the
// models that model_versions_test.cpp keeps for good; existing ones are never written again. It also makes
// the first inputs of the fuzzer (fuzz/model_fuzz.cpp).
#include <cstdio>
#include <exception>
#include <filesystem>

#include "discern/persist/model_file.hpp"
#include "tests/persist/sample_models.hpp"

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: make_models FOLDER PREFIX\n");
    return 2;
  }
  try {
    std::filesystem::create_directories(arguments[1]);
    for (const auto& sample : discern::sample_models())
      discern::save_model(sample.model,
                          std::string(arguments[1]) + "/" + arguments[2] + sample.name + ".safetensors");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_models: %s\n", error.what());
    return 1;
  }
}
