/** What other rooms use of bin. */
export { putInBin } from './put.ts'
export { adjusting, knownAccounts, projectOf, type AdjustedTable, type Restoring } from './restoring.ts'
