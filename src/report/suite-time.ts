/**
 * The attribute of a suite of JUnit that says when it ran, which its schema requires.
 * @param at an ISO date and time in UTC; without one it is the beginning of 1970
 */
export const suiteTime = (at = '1970-01-01T00:00:00'): string => `timestamp="${at.slice(0, 19)}"`
