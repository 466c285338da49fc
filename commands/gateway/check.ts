import { Type } from '@sinclair/typebox'
import { command } from '../../cli/declare.ts'
import { checkRelease } from '../../cli/gateway/compile/check.ts'
import { oneOf, orNull } from '../../src/api/shapes.ts'
import { Manifest } from '../../src/gateway/compile/manifest.ts'

export default command({
  summary: 'Check a folder of a compiled gateway policy: digests, structure, and whether the engine loads it',
  description:
    'Compares every file with the digest that release.json has of it, looks for files that are missing or do not belong there, for numbers of rules that are used twice and for lines that an engine would not read, and asks the engine to load the folder where it is installed (caddy for Coraza, nginx for ModSecurity). Nothing that runs is touched. Exit codes: 6 if something is wrong.',
  examples: ['svc gateway check waf', 'svc gateway check waf --no-engine --json'],
  arguments: [{ name: 'dir', required: true, summary: 'folder that "svc gateway compile" wrote' }],
  options: {
    engine: { type: 'boolean', default: null, summary: 'ask the engine where it is installed (default)' },
  },
  dataSchema: Type.Composite([
    Manifest,
    Type.Object({
      problems: Type.Array(Type.String()),
      verdict: Type.Object({
        program: orNull(Type.String()),
        result: oneOf(['loads', 'fails', 'not-installed', 'not-asked']),
        message: orNull(Type.String()),
      }),
    }),
  ]),
  run: (invocation) => Promise.resolve(checkRelease(invocation)),
})
