import { command } from '../../cli/declare.ts'
import { diffDriver } from '../../cli/git/diff-driver.ts'

export default command({
  summary: 'Show a difference as git asks its external diff to',
  description: 'git runs it (git(1), GIT_EXTERNAL_DIFF); "svc git install" says so.',
  examples: [],
  hidden: true,
  endsAtOnce: true,
  arguments: [
    { name: 'path', required: true, summary: 'the path in the repository' },
    { name: 'files', variadic: true, summary: 'for each side the file, its object and its mode' },
  ],
  options: {},
  run: (invocation) => diffDriver(invocation),
})
