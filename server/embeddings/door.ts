/** What other rooms use of embeddings. */
export { followTypes, queueTypesBacklog, unindexedTypes } from './index-types.ts'
export { queueBacklog, queueEmbedding, unindexed } from './index-versions.ts'
export { Questions, awaitIndexed } from './questions.ts'
export { mostCharacters } from './texts.ts'
