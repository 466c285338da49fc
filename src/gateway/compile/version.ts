/**
 * The number of what the compiler writes. Who changes a line of its files, or what a setting comes to, raises it: services then compile the
 * policies of their environments again. `test/src/gateway/compile/version.test.ts` fails where the output changes and the number does not.
 */
export const compilerVersion = 1
