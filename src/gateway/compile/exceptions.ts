/**
 * Exceptions: rules of the first phase that take groups, rules or one target of theirs out of a request. The engine compares the end
 * with its own clock, so that an exception ends on time without a new release.
 */
import { type Exception, groupOf, type Policy, positiveChecks } from '../../gateway-policy/door.ts'
import type { Node } from './node.ts'
import { groupOfRule, removeGroup, removeTarget } from './crs.ts'
import { Decider } from './logic.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { type Alphabet, alphabetOf, literal } from '../pattern.ts'
import type { Setting } from './model.ts'
import { pathNode } from './path-rules.ts'
import type { Written } from './rules.ts'
import { chain, Ids, member, memberLike, OutOfIds, plain, plainMember, tagText } from './seclang.ts'
import type { Templates } from './template.ts'
import { unescapeToken } from '../../kernel/pointer.ts'

/** How many actions one rule takes; more are put into further rules. */
const mostActions = 100

interface Scoped {
  /** The targets that the field of the exception is in the engine; null: it has no field. */
  readonly targets: readonly string[] | null
  /** Where the name of the query parameter is in the engine; null: it is another field, or cannot be taken out alone. */
  readonly query: string | null
  readonly deviations: readonly string[]
}

const noIndex = ({ title }: Dialect): string =>
  `${title} cannot name a member of an array, or any of several members, in an exception for one request.`
const noName = ({ title }: Dialect): string =>
  `${title} takes only letters, digits and ". _ - [ ] $" in the name of what is exempt.`

/** A member of each collection; null: the engine cannot name it. */
function membersOf(collections: readonly string[], name: string, dialect: Dialect): string[] | null {
  if (dialect.namesAnyMember) return collections.map((it) => member(it, name, dialect.comparesBytes))
  const found = collections.flatMap((it) => plainMember(it, name) ?? [])
  return found.length === 0 ? null : found
}

/** How the engines name the values of a JSON body: Coraza "json.items.0.note", ModSecurity "json.items.array_0.note". */
function jsonTargets(pointer: string, dialect: Dialect): readonly string[] | string {
  const segments = pointer.split('/').slice(1).map(unescapeToken)
  if (!dialect.namesAnyMember && segments.some((it) => it === '*' || /^\d+$/.test(it))) return noIndex(dialect)
  const collections = ['ARGS', 'ARGS_POST']
  if (!segments.includes('*'))
    return membersOf(collections, ['json', ...segments].join('.'), dialect) ?? noName(dialect)
  const pattern = ['json', ...segments].map((it) =>
    it === '*' ? '[^.]+' : literal(it.toLowerCase(), alphabetOf(dialect)),
  )
  return collections.map((it) => memberLike(it, pattern.join('\\.')))
}

const scoped = (
  dialect: Dialect,
  targets: readonly string[] | null,
  deviations: readonly string[] = [],
): Scoped | string => (targets === null ? noName(dialect) : { targets, query: null, deviations })

function scopeOf(exception: Exception, dialect: Dialect): Scoped | string {
  const { field, method } = exception.scope
  if (field === null) return { targets: null, query: null, deviations: [] }
  const [, kind = '', name = ''] = /^(\w+):(.*)$/su.exec(field) ?? []
  if (kind === 'header') return scoped(dialect, membersOf(['REQUEST_HEADERS'], name, dialect))
  const anyCase = /\p{L}/u.test(name) ? ['Names are compared without regard to case.'] : []
  if (kind === 'cookie') return scoped(dialect, membersOf(['REQUEST_COOKIES'], name, dialect), anyCase)
  if (kind === 'query') {
    const isForm = method === 'GET' || method === 'HEAD' || method === 'DELETE' || method === 'OPTIONS'
    const form = isForm ? [] : ['A field of the same name in a form in the body is exempt, too.']
    const found = scoped(dialect, membersOf(['ARGS', 'ARGS_GET'], name, dialect), [...anyCase, ...form])
    // ModSecurity looks at the tags of each link of a chain, and only the first has them.
    if (typeof found === 'string' || !dialect.namesAnyMember) return found
    return { ...found, query: member('ARGS_GET_NAMES', name, dialect.comparesBytes) }
  }
  if (kind !== 'json') return `"${plain(field)}" is not a field that the engine has.`
  const targets = jsonTargets(name, dialect)
  return typeof targets === 'string' ? targets : scoped(dialect, targets, anyCase)
}

/** What takes one rule out, or why nothing does. */
function ruleActions(ref: string, { targets, query }: Scoped, rules: ReadonlySet<string>): string[] | string {
  const [kind, id = ''] = ref.split(':', 2)
  if (kind === 'crs') {
    if (groupOfRule(id) === undefined)
      return `${plain(ref)} is not a rule of a managed group, so it cannot be excepted alone.`
    return targets === null
      ? [`ctl:ruleRemoveById=${id}`]
      : targets.map((target) => `ctl:ruleRemoveTargetById=${id};${target}`)
  }
  if (kind === 'positive' && positiveChecks.every((it) => it !== id)) return `"${plain(id)}" is not a check.`
  if (kind !== 'positive' && !rules.has(id)) return `"${plain(id)}" is not a rule of the policy.`
  const tag = kind === 'positive' ? `svc/positive/${id}` : `svc/rule/${tagText(id)}`
  if (targets === null) return [`ctl:ruleRemoveByTag=${tag}`]
  if (id === 'undeclaredQuery' && kind === 'positive' && query !== null)
    return [`ctl:ruleRemoveTargetByTag=${tag};${query}`]
  return kind === 'positive'
    ? `The check "${id}" looks at a request as a whole; leave the field out, or except a managed group.`
    : 'A custom rule decides about a request as a whole; leave the field out.'
}

function actionsOf(
  { target }: Exception,
  scoped: Scoped,
  dialect: Dialect,
  rules: ReadonlySet<string>,
): { actions: string[]; problems: string[] } {
  const problems: string[] = []
  const ofRules = target.ruleRefs.flatMap((ref) => {
    const found = ruleActions(ref, scoped, rules)
    if (typeof found !== 'string') return found
    problems.push(found)
    return []
  })
  const ofGroups = target.groups
    .filter((id) => groupOf(id) !== undefined)
    .flatMap((id) =>
      scoped.targets === null
        ? removeGroup(id, dialect)
        : scoped.targets.flatMap((one) => removeTarget(id, one, dialect)),
    )
  return { actions: [...ofGroups, ...ofRules], problems }
}

/** Where an exception applies: all servers have to read the path so. Null: nowhere. */
function placeOf({ scope }: Exception, templates: Templates, alphabet: Alphabet): Node | null {
  const { route, path, method } = scope
  const operator = `@rx \\A${literal(method ?? '', alphabet)}\\z`
  const methods: Node[] =
    method === null ? [] : [{ condition: { target: 'REQUEST_METHOD', operator, isSingle: true, opposite: null } }]
  if (route !== null) return { and: [...methods, templates.node([route], 'every')] }
  if (path === null) return null
  const isPrefix = path.endsWith('/*')
  const pattern = isPrefix ? `\\A${literal(path.slice(0, -1), alphabet)}[\\s\\S]` : `\\A${literal(path, alphabet)}\\z`
  return { and: [...methods, pathNode(pattern, 'every')] }
}

function routeDeviations({ scope }: Exception, templates: Templates): string[] {
  if (scope.route === null) return []
  if (!templates.isKnown)
    return scope.route.includes('{')
      ? ['No document is given: a more concrete template for the same path is exempt, too.']
      : []
  return templates.all.includes(scope.route) ? [] : [`The document has no operation with the template ${scope.route}.`]
}

function write(
  exception: Exception,
  dialect: Dialect,
  templates: Templates,
  rules: ReadonlySet<string>,
  decider: Decider,
  ids: Ids,
): { text: string; setting: Setting } {
  const setting = `exception:${exception.id}`
  const scoped = scopeOf(exception, dialect)
  if (typeof scoped === 'string') return { text: '', setting: { setting, state: 'not-enforced', reason: scoped } }
  const { actions, problems } = actionsOf(exception, scoped, dialect, rules)
  const place = placeOf(exception, templates, alphabetOf(dialect))
  if (actions.length === 0 || place === null) {
    const reason = problems.join(' ') || 'It names nothing that the engine could leave out.'
    return { text: '', setting: { setting, state: 'not-enforced', reason } }
  }
  // A second less rather than more: the engine compares whole seconds.
  const end = Math.floor(Date.parse(exception.expiresAt) / 1000)
  if (!Number.isSafeInteger(end))
    return { text: '', setting: { setting, state: 'not-enforced', reason: 'Its end is not an instant.' } }
  const links = decider.decide(place)
  let text = `# Exception until ${new Date(end * 1000).toISOString()}: ${plain(exception.reason)}\n${decider.text}`
  for (let from = 0; from < actions.length; from += mostActions)
    text += chain({
      id: ids.take(),
      links: [{ target: 'TIME_EPOCH', operator: `@lt ${end}` }, ...links],
      actions: ['pass', 'nolog', `tag:'svc/exception/${tagText(exception.id)}'`],
      then: actions.slice(from, from + mostActions),
    })
  const deviations = [...problems, ...scoped.deviations, ...routeDeviations(exception, templates)]
  const isExact = deviations.length === 0
  return {
    text,
    setting: { setting, state: isExact ? 'enforced' : 'approximated', reason: isExact ? null : deviations.join(' ') },
  }
}

/** Writes the exceptions that were not removed, also those that ended: the engine ignores them. */
export function compileExceptions(policy: Policy, dialect: Dialect, templates: Templates): Written {
  const ids = new Ids('exceptions')
  const flags = { name: 'svc_e', next: 1 }
  const rules = new Set(['bot', ...policy.rules.map(({ id }) => id)])
  const settings: Setting[] = []
  let text = ''
  for (const exception of policy.exceptions.filter(({ removedAt }) => removedAt === null)) {
    const mark = ids.mark
    try {
      const written = write(exception, dialect, templates, rules, new Decider(ids, flags), ids)
      text += written.text
      settings.push(written.setting)
    } catch (error) {
      if (!(error instanceof OutOfIds)) throw error
      ids.back(mark)
      const reason = 'The exceptions before it use all rule numbers that are meant for exceptions.'
      settings.push({ setting: `exception:${exception.id}`, state: 'not-enforced', reason })
    }
  }
  return { text, settings }
}
