import { search, searchInput, searchOutput } from '../../search.ts'
import { tool } from '../../tool.ts'

export default tool({
  name: 'spec.search_semantic',
  title: 'Search operations by meaning',
  description: 'Operations near in meaning to q. Needs an embedding provider; otherwise use spec.search.',
  input: searchInput,
  output: searchOutput,
  run: (args, context) => search('semantic', args, context),
})
