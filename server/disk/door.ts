/** What other rooms use of the disk. */
export { replaceFile, type Replacing } from './replace-file.ts'
