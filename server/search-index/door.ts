/** What other rooms use of search index. */
export { countByRule, indexGeneration, indexVersion, markIndexed, schemaName, writeRuleCounts } from './entries.ts'
export { findOperations, type FoundOperation } from './find.ts'
