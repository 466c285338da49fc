import { command } from '../../cli/declare.ts'
import { mergeDriver } from '../../cli/git/merge-driver.ts'

export default command({
  summary: 'Merge a file as git asks its merge driver to',
  description:
    'git runs it (gitattributes(5)); "svc git install" says so. The result is written to MINE. Exit codes: 1 if there are conflicts.',
  examples: [],
  hidden: true,
  endsAtOnce: true,
  arguments: [
    { name: 'base', required: true, summary: 'the file both began with (%O)' },
    { name: 'mine', required: true, summary: 'the file of ours, and of the result (%A)' },
    { name: 'theirs', required: true, summary: 'the file of theirs (%B)' },
    { name: 'size', required: true, summary: 'the length of marks (%L)' },
    { name: 'path', required: true, summary: 'the path in the repository (%P)' },
  ],
  options: {},
  run: (invocation) => mergeDriver(invocation),
})
