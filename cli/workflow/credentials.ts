/** The credentials of `svc run`: for security schemes of sources, from the environment. */
import { SvcError } from '../../src/errors.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import type { WorkflowDocument } from '../../src/workflow/document.ts'
import { schemeNames, type Credentials } from '../../src/workflow/security.ts'
import type { Invocation } from '../declare.ts'
import { pairsOf } from './inputs.ts'

/** "shop.apiKey" for every security scheme of the sources of a document. */
function knownSchemes({ sources }: WorkflowDocument): readonly string[] {
  return [...sources].flatMap(([name, source]) =>
    source.kind === 'openapi' ? schemeNames(source.description.root).map((it) => `${name}.${it}`) : [],
  )
}

/**
 * Reads SOURCE.SCHEME=VARIABLE of the command line. A credential is for one source, so that no other one is sent it.
 * @throws SvcError `usage` for a scheme that no source has, and for a variable that is not set
 */
export function readCredentials(
  list: readonly string[],
  document: WorkflowDocument,
  env: Invocation['env'],
): Credentials {
  const known = knownSchemes(document)
  const credentials = new Map<string, string>()
  for (const [name, variable] of pairsOf('credential', list, 'VARIABLE')) {
    if (!known.includes(name)) {
      const near = suggest(name, known)
      const all = known.length === 0 ? 'none has any' : `they are ${known.join(', ')}`
      const meant = near === null ? `; ${all}` : `; did you mean "${near}"?`
      throw new SvcError('usage', { reason: `No source has a security scheme "${name}"${meant}` })
    }
    const value = env[variable]
    if (value === undefined || value === '')
      throw new SvcError('usage', { reason: `The environment variable ${variable} of --credential ${name} is not set` })
    credentials.set(name, value)
  }
  return credentials
}
