C     SPDX-License-Identifier: BSD-3-Clause
C     As a Fortran 77 program uses FFTW: dfftw_* and sfftw_*, plans in
C     eight-byte integers, the first dimension the fastest.
      PROGRAM WAVES
      IMPLICIT NONE
      INCLUDE 'fftw3.f'
      INTEGER NX, NY
      PARAMETER (NX = 10, NY = 6)
      INTEGER*8 PLAN, BACK
      DOUBLE COMPLEX Z(NX, NY), S(NX/2 + 1, NY)
      DOUBLE PRECISION R(NX, NY), Q(NX, NY), ERROR
      COMPLEX A(NX)
      INTEGER I, J, WRONG, OKAY
      WRONG = 0
C     A wave along the second dimension
      CALL DFFTW_PLAN_DFT_2D(PLAN, NX, NY, Z, Z, FFTW_FORWARD,
     &                       FFTW_ESTIMATE)
      DO J = 1, NY
         DO I = 1, NX
            Z(I, J) = MOD(J, 2)
         END DO
      END DO
      CALL DFFTW_EXECUTE(PLAN)
      IF (ABS(Z(1, NY/2 + 1) - NX*NY/2) .GT. 1D-12) WRONG = WRONG + 1
      IF (ABS(Z(2, 1)) .GT. 1D-12) WRONG = WRONG + 1
      CALL DFFTW_DESTROY_PLAN(PLAN)
C     Reals and back: the first dimension is halved
      CALL DFFTW_PLAN_DFT_R2C_2D(PLAN, NX, NY, R, S, FFTW_ESTIMATE)
      CALL DFFTW_PLAN_DFT_C2R_2D(BACK, NX, NY, S, Q, FFTW_ESTIMATE)
      DO J = 1, NY
         DO I = 1, NX
            R(I, J) = I*I + 3*J
         END DO
      END DO
      CALL DFFTW_EXECUTE_DFT_R2C(PLAN, R, S)
      CALL DFFTW_EXECUTE_DFT_C2R(BACK, S, Q)
      ERROR = 0
      DO J = 1, NY
         DO I = 1, NX
            ERROR = ERROR + ABS(Q(I, J)/(NX*NY) - R(I, J))
         END DO
      END DO
      IF (ERROR .GT. 1D-10) WRONG = WRONG + 1
      CALL DFFTW_DESTROY_PLAN(PLAN)
      CALL DFFTW_DESTROY_PLAN(BACK)
C     A Hartley transform, twice
      CALL DFFTW_PLAN_R2R_1D(PLAN, NX, R, Q, FFTW_DHT, FFTW_MEASURE)
      CALL DFFTW_PLAN_R2R_1D(BACK, NX, Q, Q, FFTW_DHT, FFTW_ESTIMATE)
      CALL DFFTW_EXECUTE_R2R(PLAN, R, Q)
      CALL DFFTW_EXECUTE(BACK)
      DO I = 1, NX
         IF (ABS(Q(I, 1)/NX - R(I, 1)) .GT. 1D-12) WRONG = WRONG + 1
      END DO
      CALL DFFTW_DESTROY_PLAN(PLAN)
      CALL DFFTW_DESTROY_PLAN(BACK)
C     Single precision, there and back in place, with two threads
      CALL SFFTW_INIT_THREADS(OKAY)
      CALL SFFTW_PLAN_WITH_NTHREADS(2)
      CALL SFFTW_PLAN_DFT_1D(PLAN, NX, A, A, FFTW_FORWARD,
     &                       FFTW_MEASURE)
      CALL SFFTW_PLAN_DFT_1D(BACK, NX, A, A, FFTW_BACKWARD,
     &                       FFTW_ESTIMATE)
      DO I = 1, NX
         A(I) = CMPLX(I, -I)
      END DO
      CALL SFFTW_EXECUTE_DFT(PLAN, A, A)
      CALL SFFTW_EXECUTE(BACK)
      DO I = 1, NX
         IF (ABS(A(I) - NX*CMPLX(I, -I)) .GT. 1E-3) WRONG = WRONG + 1
      END DO
      CALL SFFTW_DESTROY_PLAN(PLAN)
      CALL SFFTW_DESTROY_PLAN(BACK)
      CALL SFFTW_CLEANUP_THREADS
      IF (OKAY .EQ. 0) WRONG = WRONG + 1
C     A plan that cannot be is zero
      CALL DFFTW_PLAN_DFT_1D(PLAN, 0, Z, Z, FFTW_FORWARD, FFTW_ESTIMATE)
      IF (PLAN .NE. 0) WRONG = WRONG + 1
      PRINT *, 'Fortran 77:', WRONG, ' wrong'
      IF (WRONG .GT. 0) STOP 1
      END
