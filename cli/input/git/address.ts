/** Addresses of git repositories, and the options that name a place in one. */
/** Whether a text is an address with a scheme of git. */
export const isAddress = (text: string): boolean => /^(https?|ssh|git\+ssh|ssh\+git):\/\//i.test(text)
// HOST:PATH as scp writes it; a drive letter is not a host.
const isScp = (text: string): boolean => /^([\w.-]+@)?[\w.-]{2,}:(?!\/\/)./.test(text)

/** Whether a text is the address of a repository elsewhere, as git writes addresses. */
export const isRemote = (text: string): boolean => isAddress(text) || isScp(text)

export const gitOptions = {
  ref: { type: 'string', placeholder: 'REF', summary: 'branch, tag or commit (default: the default branch)' },
  path: { type: 'string', placeholder: 'PATH', summary: 'the document in the repository, or a folder to look in' },
  root: {
    type: 'string',
    placeholder: 'PATH',
    summary: 'the only folder that is read (default: the whole repository)',
  },
  'repository-id': {
    type: 'string',
    placeholder: 'UUID',
    summary: 'a registered repository, whose linked account reads it',
  },
  'linked-account-id': { type: 'string', placeholder: 'UUID', summary: 'the linked account that reads it' },
} as const
