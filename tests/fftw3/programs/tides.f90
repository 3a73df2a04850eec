! SPDX-License-Identifier: BSD-3-Clause
! As a modern Fortran program uses FFTW: fftw3.f03 by ISO_C_BINDING, arrays of
! fftw_alloc_*, guru dimensions, wisdom by a procedure.
module fftw3
  use, intrinsic :: iso_c_binding
  implicit none
  include 'fftw3.f03'
end module fftw3

program tides
  use fftw3
  implicit none
  integer, parameter :: n = 24, rows = 3
  type(C_PTR) :: plan, memory
  complex(C_DOUBLE_COMPLEX), pointer :: x(:)
  real(C_FLOAT) :: a(n, rows), back(n, rows)
  complex(C_FLOAT_COMPLEX) :: s(n/2 + 1, rows)
  type(fftw_iodim64) :: dims(1), many(1)
  integer :: i, j, wrong
  wrong = 0

  memory = fftw_alloc_complex(int(n, C_SIZE_T))
  call c_f_pointer(memory, x, [n])
  plan = fftw_plan_dft_1d(n, x, x, FFTW_FORWARD, ior(FFTW_MEASURE, FFTW_DESTROY_INPUT))
  x = [(merge(1, 0, i == 2), i = 1, n)]
  call fftw_execute_dft(plan, x, x)
  do i = 1, n
     if (abs(x(i) - exp(cmplx(0, -2*acos(-1d0)*(i - 1)/n, C_DOUBLE))) > 1d-13) wrong = wrong + 1
  end do
  call fftw_destroy_plan(plan)

  dims(1)%n = n/2
  dims(1)%is = 2
  dims(1)%os = 2
  many(1)%n = 2
  many(1)%is = 1
  many(1)%os = 1
  plan = fftw_plan_guru64_dft(1, dims, 1, many, x, x, FFTW_BACKWARD, FFTW_ESTIMATE)
  x = 1
  call fftw_execute_dft(plan, x, x)
  if (abs(x(1) - n/2) > 1d-13 .or. abs(x(2) - n/2) > 1d-13 .or. abs(x(3)) > 1d-13) wrong = wrong + 1
  call fftw_destroy_plan(plan)
  call fftw_free(memory)

  plan = fftwf_plan_many_dft_r2c(1, [n], rows, a, [n], 1, n, s, [n/2 + 1], 1, n/2 + 1, FFTW_ESTIMATE)
  a = reshape([(real(mod(i*i, 11)), i = 1, n*rows)], [n, rows])
  call fftwf_execute_dft_r2c(plan, a, s)
  call fftwf_destroy_plan(plan)
  plan = fftwf_plan_many_dft_c2r(1, [n], rows, s, [n/2 + 1], 1, n/2 + 1, back, [n], 1, n, FFTW_ESTIMATE)
  call fftwf_execute_dft_c2r(plan, s, back)
  call fftwf_destroy_plan(plan)
  do j = 1, rows
     if (any(abs(back(:, j)/n - a(:, j)) > 1e-5)) wrong = wrong + 1
  end do

  if (fftw_import_wisdom_from_string(C_CHAR_'garbage' // C_NULL_CHAR) /= 0) wrong = wrong + 1
  if (fftw_export_wisdom_to_filename(C_CHAR_'/nowhere/at/all' // C_NULL_CHAR) /= 0) wrong = wrong + 1
  call fftw_cleanup()
  print *, 'Fortran 2003:', wrong, ' wrong'
  if (wrong > 0) stop 1
end program tides
