/** What other rooms use of search index. */
export {
  countByRule,
  indexGeneration,
  indexVersion,
  markIndexed,
  schemaName,
  schemaPrefix,
  writeRuleCounts,
} from './entries.ts'
export { findOperations, type FoundOperation } from './find.ts'
