import { search, searchInput, searchOutput } from '../../search.ts'
import { tool } from '../../tool.ts'

export default tool({
  name: 'spec.search',
  title: 'Search operations',
  description: 'Operations by the words of their names, paths, summaries and fields, best first.',
  input: searchInput,
  output: searchOutput,
  run: (args, context) => search('words', args, context),
})
