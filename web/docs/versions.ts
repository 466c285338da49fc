/** The switch between the documentations of several releases. */

/** One documentation of a folder of several. */
export interface DocumentedVersion {
  readonly name: string
  /** Its folder, from where `versions.json` is: "" or "versions/0.2.0/". */
  readonly path: string
}

const isVersion = (value: unknown): value is DocumentedVersion =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'path' in value &&
  typeof value.path === 'string' &&
  // Only folders below: the list is data, which must not lead anywhere else.
  /^(?:[\w.+-]+\/)*$/.test(value.path)

async function readVersions(home: string): Promise<DocumentedVersion[]> {
  try {
    const answer = await fetch(`${home}versions.json`)
    const listed: unknown = answer.ok ? await answer.json() : []
    return Array.isArray(listed) ? listed.filter(isVersion) : []
  } catch {
    // Pages that are opened as files may not read it.
    return []
  }
}

/** The same page of another version, or its first page where it has no such page. */
async function open(folder: string, page: string): Promise<void> {
  const there = await fetch(folder + page, { method: 'HEAD' }).catch(() => null)
  location.href = there?.ok === true ? folder + page : `${folder}index.html`
}

/** Fills the switch from `versions.json`; it stays hidden where there is only one version. */
export async function startVersions(): Promise<void> {
  const { home, version, page } = document.documentElement.dataset
  const place = document.querySelector<HTMLElement>('.versions')
  const select = place?.querySelector('select')
  if (home === undefined || page === undefined || !place || !select) return
  const versions = await readVersions(home)
  if (versions.length < 2) return
  for (const { name, path } of versions) {
    const isCurrent = name === version
    select.append(new Option(name, path, isCurrent, isCurrent))
  }
  select.addEventListener('change', () => void open(home + select.value, page))
  place.hidden = false
}
