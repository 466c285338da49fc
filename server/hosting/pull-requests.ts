/** What is asked of providers about pull requests: which are open, a status of a commit, one comment that is updated in place. */
import { at, listAt, textAt } from './answers.ts'
import type { Ask, Credential, ProviderAnswer } from './calls.ts'
import { cutTo } from '../../src/kernel/text.ts'

/** An open pull request from a branch of the same repository. */
export interface PullRequest {
  readonly number: number
  readonly branch: string
  readonly target: string
}

/** A status of a commit. */
export interface CommitStatus {
  readonly commit: string
  readonly isGood: boolean
  /** Names what the status is about; a later one of the same name takes its place. */
  readonly context: string
  readonly description: string
  readonly url: string
}

/** The calls of one provider; `name` is OWNER/NAME. */
export interface PullRequestCalls {
  readonly open: (ask: Ask, name: string) => Promise<ProviderAnswer>
  readonly read: (answer: ProviderAnswer, name: string) => readonly PullRequest[]
  readonly setStatus: (ask: Ask, name: string, status: CommitStatus) => Promise<ProviderAnswer>
  readonly comments: (ask: Ask, name: string, number: number) => Promise<ProviderAnswer>
  /** Ids and texts of comments. */
  readonly readComments: (answer: ProviderAnswer) => readonly { readonly id: string; readonly text: string }[]
  readonly create: (ask: Ask, name: string, number: number, text: string) => Promise<ProviderAnswer>
  readonly update: (ask: Ask, name: string, comment: Comment, text: string) => Promise<ProviderAnswer>
  /** Whether HTML in a comment is shown as HTML. */
  readonly takesHtml: boolean
  /** What the linked account must be allowed to do. */
  readonly permission: string
}

interface Comment {
  readonly number: number
  readonly id: string
}

const most = 50
const mostComments = 100

const pullRequest = (number: unknown, branch: string | null, target: string | null): readonly PullRequest[] =>
  typeof number === 'number' && branch !== null && target !== null ? [{ number, branch, target }] : []

const idOf = (value: unknown): string | null => {
  const id = at(value, 'id')
  return typeof id === 'number' || typeof id === 'string' ? String(id) : null
}

const commentsIn = (values: readonly unknown[], ...names: readonly string[]) =>
  values.flatMap((one) => {
    const [id, text] = [idOf(one), textAt(one, ...names)]
    return id === null || text === null ? [] : [{ id, text }]
  })

const github: PullRequestCalls = {
  open: (ask, name) => ask(`/repos/${name}/pulls?state=open&sort=updated&direction=desc&per_page=${most}`),
  read: ({ body }, name) =>
    listAt(body).flatMap((one) =>
      textAt(one, 'head', 'repo', 'full_name')?.toLowerCase() === name
        ? pullRequest(at(one, 'number'), textAt(one, 'head', 'ref'), textAt(one, 'base', 'ref'))
        : [],
    ),
  setStatus: (ask, name, { commit, isGood, context, description, url }) =>
    ask(`/repos/${name}/statuses/${commit}`, {
      method: 'POST',
      body: { state: isGood ? 'success' : 'failure', target_url: url, description: cutTo(description, 140), context },
    }),
  comments: (ask, name, number) => ask(`/repos/${name}/issues/${number}/comments?per_page=${mostComments}`),
  readComments: ({ body }) => commentsIn(listAt(body), 'body'),
  create: (ask, name, number, body) =>
    ask(`/repos/${name}/issues/${number}/comments`, { method: 'POST', body: { body } }),
  update: (ask, name, { id }, body) => ask(`/repos/${name}/issues/comments/${id}`, { method: 'PATCH', body: { body } }),
  takesHtml: true,
  permission: '"repo" (classic token), or commit statuses and pull requests: write',
}

const gitlabProject = (name: string): string => `/projects/${encodeURIComponent(name)}`

const gitlab: PullRequestCalls = {
  open: (ask, name) =>
    ask(`${gitlabProject(name)}/merge_requests?state=opened&order_by=updated_at&sort=desc&per_page=${most}`),
  read: ({ body }) =>
    listAt(body).flatMap((one) =>
      at(one, 'source_project_id') === at(one, 'target_project_id')
        ? pullRequest(at(one, 'iid'), textAt(one, 'source_branch'), textAt(one, 'target_branch'))
        : [],
    ),
  setStatus: (ask, name, { commit, isGood, context, description, url }) =>
    ask(`${gitlabProject(name)}/statuses/${commit}`, {
      method: 'POST',
      body: {
        state: isGood ? 'success' : 'failed',
        name: context,
        target_url: url,
        description: cutTo(description, 255),
      },
    }),
  comments: (ask, name, number) =>
    ask(`${gitlabProject(name)}/merge_requests/${number}/notes?sort=asc&order_by=created_at&per_page=${mostComments}`),
  readComments: ({ body }) => commentsIn(listAt(body), 'body'),
  create: (ask, name, number, body) =>
    ask(`${gitlabProject(name)}/merge_requests/${number}/notes`, { method: 'POST', body: { body } }),
  update: (ask, name, { number, id }, body) =>
    ask(`${gitlabProject(name)}/merge_requests/${number}/notes/${id}`, { method: 'PUT', body: { body } }),
  takesHtml: true,
  permission: 'the scope "api"',
}

const bitbucketCloud: PullRequestCalls = {
  open: (ask, name) => ask(`/repositories/${name}/pullrequests?state=OPEN&sort=-updated_on&pagelen=${most}`),
  read: ({ body }, name) =>
    listAt(body, 'values').flatMap((one) =>
      textAt(one, 'source', 'repository', 'full_name')?.toLowerCase() === name
        ? pullRequest(
            at(one, 'id'),
            textAt(one, 'source', 'branch', 'name'),
            textAt(one, 'destination', 'branch', 'name'),
          )
        : [],
    ),
  setStatus: (ask, name, { commit, isGood, context, description, url }) =>
    ask(`/repositories/${name}/commit/${commit}/statuses/build`, {
      method: 'POST',
      body: {
        key: cutTo(context, 40),
        state: isGood ? 'SUCCESSFUL' : 'FAILED',
        name: context,
        url,
        description: cutTo(description, 255),
      },
    }),
  comments: (ask, name, number) => ask(`/repositories/${name}/pullrequests/${number}/comments?pagelen=${mostComments}`),
  readComments: ({ body }) => commentsIn(listAt(body, 'values'), 'content', 'raw'),
  create: (ask, name, number, raw) =>
    ask(`/repositories/${name}/pullrequests/${number}/comments`, { method: 'POST', body: { content: { raw } } }),
  update: (ask, name, { number, id }, raw) =>
    ask(`/repositories/${name}/pullrequests/${number}/comments/${id}`, { method: 'PUT', body: { content: { raw } } }),
  takesHtml: false,
  permission: 'the scopes "repository" and "pullrequest"',
}

const serverRepository = (name: string): string => {
  const [project = '', repository = ''] = name.split('/')
  return `/projects/${encodeURIComponent(project)}/repos/${encodeURIComponent(repository)}`
}

const bitbucketServer: PullRequestCalls = {
  open: (ask, name) => ask(`${serverRepository(name)}/pull-requests?state=OPEN&order=NEWEST&limit=${most}`),
  read: ({ body }, name) =>
    listAt(body, 'values').flatMap((one) => {
      const key = textAt(one, 'fromRef', 'repository', 'project', 'key')
      const from = `${key ?? ''}/${textAt(one, 'fromRef', 'repository', 'slug') ?? ''}`.toLowerCase()
      return from === name
        ? pullRequest(at(one, 'id'), textAt(one, 'fromRef', 'displayId'), textAt(one, 'toRef', 'displayId'))
        : []
    }),
  setStatus: (ask, name, { commit, isGood, context, description, url }) =>
    ask(`${serverRepository(name)}/commits/${commit}/builds`, {
      method: 'POST',
      body: {
        key: cutTo(context, 255),
        state: isGood ? 'SUCCESSFUL' : 'FAILED',
        name: cutTo(context, 255),
        url,
        description: cutTo(description, 255),
      },
    }),
  comments: (ask, name, number) =>
    ask(`${serverRepository(name)}/pull-requests/${number}/activities?limit=${mostComments}`),
  readComments: ({ body }) =>
    commentsIn(
      listAt(body, 'values').map((one) => at(one, 'comment')),
      'text',
    ),
  create: (ask, name, number, text) =>
    ask(`${serverRepository(name)}/pull-requests/${number}/comments`, { method: 'POST', body: { text } }),
  // A change names the version of the comment that it changes.
  update: async (ask, name, { number, id }, text) => {
    const path = `${serverRepository(name)}/pull-requests/${number}/comments/${id}`
    const before = await ask(path)
    return ask(path, { method: 'PUT', body: { text, version: at(before.body, 'version') ?? 0 } })
  },
  takesHtml: false,
  permission: 'repository write',
}

/** The calls of the provider of an account. */
export const pullRequestCallsOf = ({ provider, host }: Pick<Credential, 'provider' | 'host'>): PullRequestCalls => {
  if (provider === 'github') return github
  if (provider === 'gitlab') return gitlab
  return host === 'bitbucket.org' ? bitbucketCloud : bitbucketServer
}
