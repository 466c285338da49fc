import { search, searchInput, searchOutput } from '../../search.ts'
import { tool } from '../../tool.ts'

export default tool({
  name: 'spec.search_semantic',
  title: 'Semantic search of operations',
  description: 'Operations whose meaning is close to q. Needs an embedding provider; otherwise use spec.search.',
  input: searchInput,
  output: searchOutput,
  run: (args, context) => search('semantic', args, context),
})
