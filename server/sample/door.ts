/** What other rooms use of sample. */
export { sampleSlug } from './seed.ts'
