declare module 'fourier-transform' {
  export type Spectrum = readonly [re: Float64Array, im: Float64Array];
  /** Of real values: N/2+1 bins, written into `output`. */
  export function fft(input: Float64Array, output: Spectrum): Spectrum;
  /** Undoes `fft`. Returns an array that the next call with as many bins overwrites. */
  export function ifft(re: Float64Array, im: Float64Array): Float64Array;
}
