import { Type } from '@sinclair/typebox'
import { command } from '../../cli/declare.ts'
import { checkRelease } from '../../cli/gateway/compile/check.ts'
import { oneOf, orNull } from '../../src/kernel/shapes.ts'
import { Manifest } from '../../cli/gateway/compile/manifest.ts'

/** What a compilation says beside its files: the folder of an agent has none of it. */
const whatComesOut = ['settings', 'off', 'notEnforced', 'operations', 'bodies'] as const

export default command({
  summary:
    'Check a compiled gateway policy or the folder of an agent: digests, structure, and whether the engine loads it',
  description:
    'Compares every file with the digest that release.json has of it, looks for files that are missing or do not belong there, for numbers of rules that are used twice and for lines that an engine would not read, and asks the engine to load the folder where it is installed (caddy for Coraza, nginx for ModSecurity). Of the folder of an agent ("svc gateway run --dir") the release in use is checked. Nothing that runs is touched. Exit codes: 6 if something is wrong.',
  examples: [
    'svc gateway check waf',
    'svc gateway check waf --no-engine --json',
    'svc gateway check /var/lib/svc-gateway',
  ],
  arguments: [{ name: 'dir', required: true, summary: 'folder that "svc gateway compile" wrote, or that of an agent' }],
  options: {
    engine: { type: 'boolean', default: null, summary: 'ask the engine where it is installed (default)' },
  },
  dataSchema: Type.Composite([
    Type.Omit(Manifest, whatComesOut),
    Type.Partial(Type.Pick(Manifest, whatComesOut)),
    Type.Object({
      enforcerId: Type.Optional(Type.String({ description: 'Of the folder of an agent: its gateway.' })),
      createdAt: Type.Optional(Type.String({ description: 'Of the folder of an agent: when the release was made.' })),
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
