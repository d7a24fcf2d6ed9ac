# Eigen 3.4 releases the block of a matrix before it allocates the next one. If there is no memory for that, the
# matrix still points to the block that is gone, and its destructor releases it again. A copy of the headers in which
# the pointer is cleared comes before those of the system.
get_target_property(eigen_headers Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
set(eigen_copy ${PROJECT_BINARY_DIR}/eigen)
file(COPY ${eigen_headers}/Eigen DESTINATION ${eigen_copy} PATTERN DenseStorage.h EXCLUDE)
file(READ ${eigen_headers}/Eigen/src/Core/DenseStorage.h storage)
string(REGEX REPLACE "(conditional_aligned_delete_auto<[^;]*\\(m_data,[^;]*\\));" "\\1; m_data = 0;" storage "${storage}")
file(CONFIGURE OUTPUT ${eigen_copy}/Eigen/src/Core/DenseStorage.h CONTENT "${storage}" @ONLY)
include_directories(BEFORE SYSTEM ${eigen_copy})
