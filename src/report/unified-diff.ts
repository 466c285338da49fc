import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'

/**
 * The difference of two texts as `diff -u` and git write it: hunks with three lines around each change; "" where they are
 * equal.
 * @param name the file that both are versions of
 */
export const unifiedDiff = (before: string, after: string, name: string): string =>
  before === after
    ? ''
    : createTwoFilesPatch(name, name, before, after, undefined, undefined, {
        context: 3,
        headerOptions: FILE_HEADERS_ONLY,
      })
