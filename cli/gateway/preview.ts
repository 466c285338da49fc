/** What the command that previews changes is given. */
import type { PolicyEdit } from '../../src/api/gateway-positive.ts'
import { groupIds, groupModes, type TierId } from '../../src/gateway-policy/door.ts'
import { SvcError } from '../../src/errors.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { readText } from '../input/named-file.ts'
import type { Invocation } from '../declare.ts'

interface Values {
  readonly tier: TierId | undefined
  readonly paranoia: number | undefined
  readonly threshold: number | undefined
  readonly group: readonly string[]
  readonly version: string | undefined
}

const modes = [...groupModes, 'default'] as const
// A mode below block needs a reason where it is stored; here nothing is.
const reason = 'Preview'

function groupOf(text: string): NonNullable<PolicyEdit['managedGroups']>[number] {
  const [name = '', word = ''] = text.split('=')
  const id = groupIds.find((it) => it === name)
  if (id === undefined) throw new SvcError('group-unknown', { group: name, suggestion: suggest(name, groupIds) })
  const mode = modes.find((it) => it === word)
  if (mode === undefined)
    throw new SvcError('usage', { reason: `--group is GROUP=MODE, as "php=off"; the modes are ${modes.join(', ')}` })
  return { id, mode: mode === 'default' ? null : mode, reason }
}

async function fileOf(path: string, from: Pick<Invocation, 'cwd' | 'io'>): Promise<PolicyEdit> {
  const text = await readText(path, from)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // What is wrong is said below.
  }
  throw new SvcError('usage', { reason: `"${path}" is not a JSON object with changes` })
}

/**
 * The changes of a file with those of the options.
 * @throws SvcError `usage`, `group-unknown`, `file-not-found` and the like
 */
export async function previewedChange(
  path: string | undefined,
  { tier, paranoia, threshold, group, version }: Values,
  from: Pick<Invocation, 'cwd' | 'io'>,
): Promise<PolicyEdit> {
  const change = path === undefined ? {} : await fileOf(path, from)
  const presets = {
    ...change.presets,
    ...(tier === undefined ? {} : { tier, reason }),
    ...(paranoia === undefined ? {} : { paranoia }),
    ...(threshold === undefined ? {} : { threshold }),
  }
  const whole: PolicyEdit = {
    ...change,
    ...(Object.keys(presets).length === 0 ? {} : { presets }),
    ...(group.length === 0 ? {} : { managedGroups: [...(change.managedGroups ?? []), ...group.map(groupOf)] }),
    ...(version === undefined ? {} : { positive: { ...change.positive, version } }),
  }
  if (Object.keys(whole).length === 0)
    throw new SvcError('usage', { reason: 'Give a file with changes, or at least one option' })
  return whole
}
