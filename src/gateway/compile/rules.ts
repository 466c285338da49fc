/** Custom rules and the preset for bots. */
import { groupOf, leanOf, type Policy, type Rule, type RuleAction } from '../../gateway-policy/door.ts'
import { nodeOf, NotExpressible, type Needs } from './condition.ts'
import { removeGroup } from './crs.ts'
import { Decider } from './logic.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Setting } from './model.ts'
import { chain, Ids, OutOfIds, plain, tagText, type Link } from './seclang.ts'
import type { Templates } from './template.ts'

const noChallenge = 'The engine cannot send a challenge; requests that meet it are logged.'
const noCounters = 'The engine does not count requests over time.'

/** The actions of the rule that decides, without its tags; null: the engine has nothing for it. */
const actionsOf = (action: RuleAction, status: number | null): readonly string[] | null =>
  ({
    block: ['deny', `status:${status ?? 403}`, 'log', 'auditlog'],
    log: ['pass', 'log', 'auditlog'],
    challenge: ['pass', 'log', 'auditlog'],
    allow: ['allow', 'nolog'],
    skip: ['pass', 'nolog'],
    'rate-limit': null,
  })[action]

const settled = (setting: string, deviations: ReadonlySet<string>): Setting =>
  deviations.size === 0
    ? { setting, state: 'enforced', reason: null }
    : { setting, state: 'approximated', reason: [...deviations].join(' ') }

const missing = (setting: string, reason: string): Setting => ({ setting, state: 'not-enforced', reason })

/** What readers of the log take field and value from. It is on the link that looked at them. */
const found = "logdata:'found within %{MATCHED_VAR_NAME}: %{MATCHED_VAR}'"

export interface Written {
  readonly text: string
  readonly settings: readonly Setting[]
}

const named = (rule: Rule): string => plain(rule.name) || 'without a name'

function ruleText(rule: Rule, links: readonly Link[], dialect: Dialect, id: number): string {
  const tag = `tag:'svc/rule/${tagText(rule.id)}'`
  const actions = actionsOf(rule.action, rule.status) ?? []
  const skipped = rule.action === 'skip' ? rule.groups.filter((it) => groupOf(it) !== undefined) : []
  const removed = skipped.flatMap((it) => removeGroup(it, dialect))
  const evidence = actions.includes('log') ? [found] : []
  return chain({
    id,
    links,
    actions: [...actions, `msg:'svc rule: ${named(rule)}'`, tag],
    then: [...evidence, ...removed],
  })
}

/**
 * What computes the parts of a request that engines do not have as they are. A variable is never removed (`setvar:!`): Coraza 3.8 panics
 * where it does that.
 */
function prepared(needs: Needs, ids: Ids): string {
  const quiet = ['pass', 'nolog']
  const host = () =>
    // A host that cannot be read is another one than any that is compared.
    chain({ id: ids.take(), links: [], actions: quiet, then: ['setvar:tx.svc_host=?'] }) +
    chain({
      id: ids.take(),
      links: [{ target: 'REQUEST_HEADERS:Host', operator: '@rx \\A(\\x5b[^\\x5d]*\\x5d|[^:]*)(?::[0-9]*)?\\z' }],
      actions: ['pass', 'nolog', 'capture', 't:lowercase'],
      then: ['setvar:tx.svc_host=%{tx.1}'],
    })
  // A body that is sent in pieces has no size before it was read.
  const isWhole = { target: '&REQUEST_HEADERS:Transfer-Encoding', operator: '@eq 0' }
  const size = () =>
    chain({ id: ids.take(), links: [isWhole], actions: quiet, then: ['setvar:tx.svc_body_size=0'] }) +
    chain({
      id: ids.take(),
      links: [isWhole, { target: 'REQUEST_HEADERS:Content-Length', operator: '@rx \\A([0-9]{1,18})\\z' }],
      actions: quiet,
      then: ['capture', 'setvar:tx.svc_body_size=%{tx.1}'],
    })
  return (needs.host ? host() : '') + (needs.bodySize ? size() : '')
}

/**
 * Writes the custom rules in their order: the first that blocks or allows decides, because the engine stops there.
 * @returns the lines, and what each rule that is switched on comes to
 */
export function compileRules(policy: Policy, dialect: Dialect, templates: Templates): Written {
  const ids = new Ids('rules')
  const flags = { name: 'svc_f', next: 1 }
  const all: Needs = { host: false, bodySize: false, deviations: new Set() }
  const settings: Setting[] = []
  const start = ids.mark
  ids.back(start + 4)
  let text = ''
  for (const rule of policy.rules.filter(({ enabled }) => enabled).toSorted((a, b) => a.order - b.order)) {
    const setting = `rule:${rule.id}`
    const mark = ids.mark
    if (rule.action === 'rate-limit') {
      settings.push(missing(setting, noCounters))
      continue
    }
    if (rule.action === 'skip' && rule.groups.every((it) => groupOf(it) === undefined)) {
      settings.push(missing(setting, 'It names no managed group to skip.'))
      continue
    }
    try {
      const needs: Needs = { host: false, bodySize: false, deviations: new Set() }
      const decider = new Decider(ids, flags)
      const links = decider.decide(nodeOf(rule.expression, dialect, templates, needs, leanOf(rule.action)))
      text += `# ${named(rule)}\n${decider.text}${ruleText(rule, links, dialect, ids.take())}`
      all.host ||= needs.host
      all.bodySize ||= needs.bodySize
      settings.push(rule.action === 'challenge' ? missing(setting, noChallenge) : settled(setting, needs.deviations))
    } catch (error) {
      ids.back(mark)
      if (error instanceof NotExpressible) settings.push(missing(setting, error.message))
      else if (error instanceof OutOfIds)
        settings.push(
          missing(setting, 'The rules before it use all 10,000 rule numbers that are meant for custom rules.'),
        )
      else throw error
    }
  }
  ids.back(start)
  return { text: prepared(all, ids) + text, settings }
}

/** Names that crawlers, headless browsers and libraries for scripts call themselves by. */
const botNames = [
  'bot\\b', 'crawl', 'spider', 'slurp', 'scrapy', 'headless', 'phantomjs', 'selenium', 'puppeteer', 'playwright',
  'python-requests', 'python-urllib', 'aiohttp', 'httpx', 'go-http-client', 'libwww-perl', 'curl/', 'wget/', 'java/',
  'okhttp', 'apache-httpclient', 'node-fetch', 'axios',
] // prettier-ignore

/** Requests of programs that say what they are, or say nothing. */
export function compileBot({ presets }: Policy): Written {
  const { bot } = presets
  if (bot === 'off') return { text: '', settings: [{ setting: 'bot', state: 'enforced', reason: null }] }
  const actions = bot === 'block' ? ['deny', 'status:403', 'log', 'auditlog'] : ['pass', 'log', 'auditlog']
  const agent = 'REQUEST_HEADERS:User-Agent'
  const tags = ["msg:'svc: automated client'", "tag:'svc/rule/bot'"]
  const text =
    chain({
      id: 10_900,
      links: [
        { target: agent, operator: `@rx (?i)(?:${botNames.map((it) => it.replaceAll('/', '\\x2f')).join('|')})` },
      ],
      actions: [...actions, ...tags, found],
    }) + chain({ id: 10_901, links: [{ target: `&${agent}`, operator: '@eq 0' }], actions: [...actions, ...tags] })
  const reason =
    'Automated clients are recognized by their User-Agent; one that names itself as a browser is not noticed.'
  const setting: Setting =
    bot === 'challenge' ? missing('bot', noChallenge) : { setting: 'bot', state: 'approximated', reason }
  return { text: `# Automated clients\n${text}`, settings: [setting] }
}
