/**
 * Random sequences of everything that makes accounts and memberships: no account gets a membership that neither a token
 * nor a proven address entitles it to, and Mallory, who makes accounts for the addresses of others, opens none of theirs.
 */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { invitations, memberships, users } from '../../../db/tables.gen.ts'
import { accountOf } from '../../../server/sign-in/provision.ts'
import { sweepIdentity } from '../../../server/sign-in/sweep.ts'
import { plansWith } from '../../../server/license/plans.ts'
import { createUser } from '../../../server/users/service.ts'
import { verifyEmail } from '../../../server/users/accounts.ts'
import type { Database } from '../../../db/database.ts'
import { isFull } from '../../fixtures/extent.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addMember, addTenant, addUser, outcome } from '../../fixtures/accounts.ts'
import { startIdentityService } from '../../fixtures/identity-service.ts'

const [sequences, steps] = [isFull ? 16 : 4, 50]
const dayMs = 24 * 3_600_000
const emails = ['alice@example.com', 'bob@example.com'] as const
/** The first one is Mallory's, who takes the tokens of its invitations herself; the others hand theirs over. */
const slugs = ['evil', 'acme', 'beta'] as const
const passwordOf = { mallory: 'chosen by mallory', owner: 'chosen by the owner' } as const
type Chooser = keyof typeof passwordOf

/** Numbers that are the same for the same seed (mulberry32). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

interface Invitation {
  readonly id: string
  readonly slug: string
  readonly email: string
  readonly role: string
  readonly token: string
  readonly expiresAt: number
  isOpen: boolean
}

interface Account {
  readonly email: string
  /** Who chose the password: Mallory or the owner of the address; null where there is none. */
  chooser: Chooser | null
  /** The tenant whose token made it; null for accounts of the operator and of the issuer. */
  readonly boundTo: string | null
  isProven: boolean
}

/** What happened, recorded independently of the service: its answers are compared with this. */
class World {
  readonly service
  readonly accounts = new Map<string, Account>()
  readonly invited: Invitation[] = []
  /** How many accounts of invitations the issuer led to. */
  linked = 0
  readonly tenants = new Map<string, string>()
  /** "<tenant> <account>" with the role that entitled to it. */
  readonly entitled = new Map<string, string>()
  readonly #owners = new Map<string, string>()
  readonly #any: (below: number) => number
  constructor(db: Database, seed: number) {
    this.service = startIdentityService(db, { plans: plansWith({ seats: 100 }) })
    this.#any = numbersFrom(seed)
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[this.#any(Math.max(1, from.length))]
  }

  async begin(): Promise<void> {
    for (const slug of slugs) {
      const tenant = await addTenant(this.service.db, slug)
      const owner = await addUser(this.service.db, `owner-of-${slug}`)
      await addMember(this.service.db, tenant, owner, 'owner')
      this.tenants.set(slug, tenant)
      this.#owners.set(slug, owner)
    }
  }

  async asOwner(slug: string, line: string, body?: object) {
    const headers = await this.service.bearer(this.#owners.get(slug) ?? '')
    const path = line.replace(':', `/v1/tenants/${slug}`)
    return this.service.ask(path, { headers, ...(body === undefined ? {} : { body }) })
  }

  open(): Invitation[] {
    return this.invited.filter((it) => it.isOpen && it.expiresAt > this.service.clock.value)
  }

  /** The one account of an address that is proven. */
  provenOf(email: string): string | undefined {
    return [...this.accounts].find(([, it]) => it.email === email && it.isProven)?.[0]
  }

  entitle(slug: string, account: string, role: string): void {
    this.entitled.set(`${slug} ${account}`, role)
  }
}

type Event = (world: World) => Promise<void>

const invite: Event = async (world) => {
  const [slug = 'evil', email = '', role = ''] = [
    world.pick(slugs),
    world.pick(emails),
    world.pick(['admin', 'editor', 'viewer']),
  ]
  const { status, body } = await world.asOwner(slug, 'POST :/invitations', { email, role })
  if (status !== 201) return
  const { id, token } = body as { id: string; token: string }
  world.invited.push({ id, slug, email, role, token, expiresAt: Date.parse(body.expires_at), isOpen: true })
}

/** Accepts with a new account, or with one that the password opens; an old token is tried too. */
const accept: Event = async (world) => {
  const invitation = world.pick([world.pick(world.open()), world.pick(world.invited)])
  if (invitation === undefined) return
  const chooser: Chooser = invitation.slug === 'evil' ? 'mallory' : 'owner'
  const name = world.pick(['Person', null]) ?? null
  const given = { token: invitation.token, password: passwordOf[chooser] }
  const wasOpen = world.open().includes(invitation)
  const { status, body } = await world.service.ask('POST /_app/invitation/accept', {
    body: name === null ? given : { ...given, name },
  })
  if (status !== 201) return
  expect(wasOpen).toBe(true)
  const { id } = body.user as { id: string }
  const { slug, email, role } = invitation
  if (name === null) {
    const account = world.accounts.get(id)
    expect(account).toMatchObject({ email, chooser })
    expect(account?.isProven === true || account?.boundTo === null || account?.boundTo === slug).toBe(true)
  } else {
    expect(world.accounts.has(id)).toBe(false)
    world.accounts.set(id, { email, chooser, boundTo: slug, isProven: false })
  }
  invitation.isOpen = false
  world.entitle(slug, id, role)
}

/** Any account asks for any tenant. */
const activate: Event = async (world) => {
  // Proven ones are few, and more is possible to them.
  const proven = world.provenOf(world.pick(emails) ?? '')
  const [id = '', slug = ''] = [world.pick([proven ?? '', ...world.accounts.keys()]), world.pick(slugs)]
  const account = world.accounts.get(id)
  if (account === undefined) return
  const { body } = await world.service.ask('POST /v1/onboarding/membership-activation', {
    headers: await world.service.bearer(id),
    body: { tenant_id: world.tenants.get(slug) },
  })
  if (body.status !== 'activated') return
  const invitation = world.open().find((it) => it.slug === slug && it.email === account.email)
  expect([account.isProven, invitation !== undefined]).toEqual([true, true])
  if (invitation === undefined) return
  invitation.isOpen = false
  world.entitle(slug, id, invitation.role)
}

const signInAtIssuer: Event = (world) => provenAtIssuer(world, world.pick(emails) ?? '')

/** The owner of an address signs in at the issuer. */
async function provenAtIssuer(world: World, email: string): Promise<void> {
  const issuer = 'https://issuer.example'
  const who = { issuer, subject: email, verifiedEmail: email.toUpperCase(), name: null }
  const user = await accountOf(world.service.identity, who, { provision: 'all', allowedDomains: [] })
  const account = world.accounts.get(user.id)
  const proven = world.provenOf(email)
  expect(proven ?? user.id).toBe(user.id)
  if (account === undefined) world.accounts.set(user.id, { email, chooser: null, boundTo: null, isProven: true })
  else if (account.boundTo !== null) {
    // The holder of its invitation token chose the password, which ends with the first sign-in at the issuer.
    if (account.chooser !== null) world.linked += 1
    account.chooser = null
  }
}

const makeByOperator: Event = async (world) => {
  const email = world.pick(emails) ?? ''
  const given = { email, name: '', password: passwordOf.owner, membership: null }
  const made = (await outcome(createUser(world.service.identity, given))) as { user?: { id: string } }
  if (made.user !== undefined)
    world.accounts.set(made.user.id, { email, chooser: 'owner', boundTo: null, isProven: false })
}

/** The operator verifies what the owner of the address says is theirs. */
const verify: Event = async (world) => {
  const own = [...world.accounts].filter(([, it]) => it.chooser === 'owner').map(([id]) => id)
  const invited = own.filter((id) => world.accounts.get(id)?.boundTo !== null)
  const id = world.pick([world.pick(own), world.pick(invited)])
  const account = world.accounts.get(id ?? '')
  if (id === undefined || account === undefined) return
  const proven = world.provenOf(account.email)
  const result = (await outcome(verifyEmail(world.service.identity, id))) as { code?: string }
  expect(result.code).toBe(proven === undefined || proven === id ? undefined : 'email-verified-elsewhere')
  if (result.code === undefined) account.isProven = true
}

const withdraw: Event = async (world) => {
  const invitation = world.pick(world.open())
  if (invitation === undefined) return
  const { status } = await world.asOwner(invitation.slug, `DELETE :/invitations/${invitation.id}`)
  expect(status).toBe(204)
  invitation.isOpen = false
}

const remove: Event = async (world) => {
  const [key] = [world.pick([...world.entitled.keys()])]
  if (key === undefined) return
  const [slug = '', id = ''] = key.split(' ')
  const { status } = await world.asOwner(slug, `DELETE :/members/${id}`)
  expect(status).toBe(204)
  world.entitled.delete(key)
}

/** Invitations are good for seven days. */
const pass: Event = ({ service }) => {
  service.clock.value += 2 * dayMs
  return Promise.resolve()
}

const sweep: Event = async ({ service }) => {
  await sweepIdentity(service.db, service.clock.value)
}

const events: readonly Event[] = [
  invite,
  invite,
  invite,
  accept,
  accept,
  accept,
  activate,
  activate,
  activate,
  activate,
  signInAtIssuer,
  verify,
  makeByOperator,
  verify,
  withdraw,
  remove,
  pass,
  pass,
  sweep,
]

/** Compares what is stored with what was written down. */
async function judge(world: World): Promise<void> {
  const { db } = world.service
  for (const [slug, tenant] of world.tenants) {
    const rows = await db.read
      .select({ id: users.id, role: memberships.role, status: memberships.status })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(eq(memberships.tenantId, tenant))
    for (const { id, role, status } of rows) {
      const account = world.accounts.get(id)
      if (account === undefined) continue
      if (status === 'active') expect([slug, world.entitled.get(`${slug} ${id}`)]).toEqual([slug, role])
      else {
        // A pending one is of a proven account, for an invitation that was there at least.
        expect([status, account.isProven]).toEqual(['pending', true])
        expect(world.invited.some((it) => it.slug === slug && it.email === account.email && it.role === role)).toBe(
          true,
        )
      }
      if (account.chooser === 'mallory') expect(slug).toBe('evil')
      if (!account.isProven && account.boundTo !== null) expect(slug).toBe(account.boundTo)
    }
    const active = rows.filter((it) => it.status === 'active' && world.accounts.has(it.id)).map((it) => it.id)
    const expected = [...world.entitled.keys()]
      .filter((it) => it.startsWith(`${slug} `))
      .map((it) => it.slice(slug.length + 1))
    expect(active.toSorted()).toEqual(expected.toSorted())
  }
  const stored = (await db.read.select().from(users)).filter((it) => world.accounts.has(it.id))
  for (const { id, emailVerifiedAt, boundTo, passwordHash } of stored) {
    const account = world.accounts.get(id)
    const tenant = account?.boundTo == null ? null : (world.tenants.get(account.boundTo) ?? '')
    expect([emailVerifiedAt !== null, boundTo, passwordHash !== null]).toEqual([
      account?.isProven ?? false,
      tenant,
      account?.chooser !== null,
    ])
  }
  expect(stored).toHaveLength(world.accounts.size)
}

/** What Mallory gets to see with her password for every address. */
async function reachOfMallory({ service }: World): Promise<string[]> {
  const found: string[] = []
  for (const email of emails) {
    const body = { email, password: passwordOf.mallory, tenant_slug: 'evil' }
    const signedIn = await service.ask('POST /v1/auth/login', { body })
    if (signedIn.status !== 200) continue
    const headers = { authorization: `Bearer ${signedIn.body.access_token}` }
    const { body: me } = await service.ask('GET /v1/auth/me', { headers })
    found.push(...(me.memberships as { slug: string }[]).map((it) => it.slug))
  }
  return found
}

onBothEngines('entitlement', (makeDb) => {
  test('no account gets a membership that neither a token nor its proven address entitles it to', async () => {
    const counts = { accounts: 0, memberships: 0, proven: 0, invitations: 0, linked: 0 }
    for (let seed = 1; seed <= sequences; seed++) {
      const world = new World(await makeDb(), seed)
      await world.begin()
      for (let step = 0; step < steps; step++) {
        const event = world.pick(events)
        // In every other sequence the operator gets to verify addresses before the issuer does.
        if (event !== signInAtIssuer || seed % 2 === 0 || step > steps / 2) await event?.(world)
        await judge(world)
      }
      for (const email of emails) await provenAtIssuer(world, email)
      await judge(world)
      expect((await reachOfMallory(world)).filter((slug) => slug !== 'evil')).toEqual([])
      expect(world.service.faults).toEqual([])
      counts.accounts += world.accounts.size
      counts.memberships += world.entitled.size
      counts.proven += [...world.accounts.values()].filter((it) => it.isProven).length
      counts.linked += world.linked
      counts.invitations += await world.service.db.read.$count(invitations)
    }
    // The sequences reach what they are about.
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(1)
  }, 120_000)
})
