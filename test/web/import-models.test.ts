/** What is chosen for an import: files, folders and archives as the browser gives them, and how they are sent. */
import { describe, expect, test } from 'bun:test'
import {
  type Chosen,
  commandOf,
  mayHoldSeveral,
  nameOf,
  sizeOf,
  toSource,
} from '../../web/src/features/import/chosen.ts'
import {
  type ChosenOverlay,
  fileOverlay,
  isOverlayText,
  moved,
  overlaysOf,
  pastedOverlay,
  withMore,
} from '../../web/src/features/import/overlay-files.ts'
import {
  type FileAt,
  filesOfDrop,
  filesOfList,
  readFiles,
  readOverlayFiles,
} from '../../web/src/features/import/read-files.ts'

const at = (path: string, text = 'openapi: 3.1.0'): FileAt => ({
  path,
  file: new File([text], path.split('/').at(-1) ?? path),
})

/** The text of a refusal. */
const refusal = (files: readonly FileAt[]): Promise<string> =>
  readFiles(files).then(
    () => 'none',
    (error: unknown) => (error as Error).message,
  )

describe('files that were chosen', () => {
  test('one file is one document', async () => {
    expect(await readFiles([at('pets.yaml')])).toEqual({
      chosen: { kind: 'text', name: 'pets.yaml', text: 'openapi: 3.1.0' },
      overlays: [],
    })
  })

  test('a folder is a tree of its JSON and YAML files, without those of tools and dependencies', async () => {
    const files = [
      at('apis/pets.yaml', 'a'),
      at('apis/schemas/Pet.JSON', 'bc'),
      at('apis/readme.md'),
      at('apis/.git/config.yaml'),
      at('apis/node_modules/x/openapi.yaml'),
    ]
    expect((await readFiles(files)).chosen).toEqual({
      kind: 'tree',
      name: 'apis',
      isFolder: true,
      files: [
        { path: 'pets.yaml', content: 'a' },
        { path: 'schemas/Pet.JSON', content: 'bc' },
      ],
      bytes: 3,
    })
  })

  test('files beside each other are a tree without a folder; the only document of several is a document', async () => {
    expect((await readFiles([at('a.yaml', '1'), at('b.json', '2')])).chosen).toMatchObject({
      name: '2 files',
      isFolder: false,
    })
    expect((await readFiles([at('a.yaml', '1'), at('b.md', '2')])).chosen).toEqual({
      kind: 'text',
      name: 'a.yaml',
      text: '1',
    })
  })

  test('one file of any name is a document, and an archive is one as a whole', async () => {
    expect((await readFiles([at('pets.txt', 'x')])).chosen).toEqual({ kind: 'text', name: 'pets.txt', text: 'x' })
    const stub = class {
      result = ''
      readonly #done: (() => void)[] = []
      addEventListener(name: string, done: () => void): void {
        if (name === 'load') this.#done.push(done)
      }
      readAsDataURL(file: File): void {
        this.result = `data:application/zip;base64,${btoa(file.name)}`
        for (const done of this.#done) done()
      }
    }
    const { FileReader: real } = globalThis
    globalThis.FileReader = stub as never
    const read = await readFiles([at('apis.zip', 'abc')]).finally(() => (globalThis.FileReader = real))
    expect(read).toEqual({
      chosen: { kind: 'archive', name: 'apis.zip', base64: btoa('apis.zip'), bytes: 3 },
      overlays: [],
    })
  })

  test('files of several folders keep their paths', async () => {
    expect((await readFiles([at('apis/a.yaml', '1'), at('other/b.yaml', '2')])).chosen).toMatchObject({
      name: '2 files',
      isFolder: false,
      files: [{ path: 'apis/a.yaml' }, { path: 'other/b.yaml' }],
    })
  })

  test('as much as may be sent is read, and not a byte or a file more', async () => {
    const sized = (size: number): FileAt => ({
      path: 'a.yaml',
      file: { name: 'a.yaml', size, text: () => Promise.resolve('x') } as File,
    })
    expect([
      await refusal([sized(48 * 1024 * 1024)]),
      (await refusal([sized(48 * 1024 * 1024 + 1)])).slice(0, 7),
    ]).toEqual(['none', '50.3 MB'])
    const many = Array.from({ length: 10_000 }, (_, index) => at(`${index}.yaml`, ''))
    expect(await refusal(many)).toBe('none')
  })

  test('a dropped folder gives its files, however many the browser tells at once, and stops after one too many', async () => {
    const file = (name: string) => ({
      isFile: true,
      name,
      file: (done: (file: File) => void) => done(new File(['x'], name)),
    })
    const folder = (name: string, batches: readonly (readonly unknown[])[]) => ({
      isFile: false,
      name,
      createReader: () => {
        const left = [...batches]
        return { readEntries: (done: (entries: unknown) => void) => done(left.shift() ?? []) }
      },
    })
    const dropped = async (...entries: unknown[]) => {
      const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }))
      const found = await filesOfDrop({
        items,
        files: [Object.assign(new File(['x'], 'plain.yaml'), { webkitRelativePath: '' })],
      } as never)
      return found.map(({ path }) => path)
    }
    const inner = folder('inner', [[file('c.yaml')]])
    const aside = folder('.git', [[file('d.yaml')]])
    const apis = folder('apis', [[file('a.yaml')], [file('b.yaml'), inner, aside]])
    expect(await dropped(apis, null, file('z.yaml'))).toEqual([
      'apis/a.yaml',
      'apis/b.yaml',
      'apis/inner/c.yaml',
      'z.yaml',
    ])
    // What is no entry of a file system is in the list of files.
    expect(await dropped(null)).toEqual(['plain.yaml'])
    const batches = Array.from({ length: 101 }, (_, nth) =>
      Array.from({ length: 100 }, (_item, index) => file(`${nth * 100 + index}.yaml`)),
    )
    expect((await dropped(folder('many', batches))).length).toBe(10_001)
  })

  test('the files of a field have their paths below the chosen folder', () => {
    const plain = new File(['x'], 'a.yaml')
    const below = { name: 'b.yaml', webkitRelativePath: 'apis/b.yaml' }
    const list = [Object.assign(plain, { webkitRelativePath: '' }), below] as unknown as FileList
    expect(filesOfList(list).map(({ path }) => path)).toEqual(['a.yaml', 'apis/b.yaml'])
    expect(filesOfList(null)).toEqual([])
  })

  test('what cannot be imported is refused with the reason', async () => {
    const large = { path: 'a.yaml', file: { name: 'a.yaml', size: 60_000_000 } as File }
    expect([
      await refusal([]),
      await refusal([at('.hidden.yaml')]),
      await refusal([at('a.md'), at('b.txt')]),
      await refusal([at('a.zip'), at('b.yaml')]),
      await refusal([large]),
      await refusal(Array.from({ length: 10_001 }, (_, index) => at(`${index}.yaml`, ''))),
    ]).toEqual([
      'There is no file to import. Files whose names begin with a dot are left out.',
      'There is no file to import. Files whose names begin with a dot are left out.',
      'None of these files is JSON or YAML.',
      'Choose one archive, or files without an archive.',
      '60 MB are too many for the browser: at most 50.3 MB. Choose fewer files, or import them from a URL or a repository.',
      'There are more than 10,000 files. Choose fewer, or put them into an archive.',
    ])
  })
})

describe('overlays beside a document', () => {
  const yaml = "overlay: 1.1.0\ninfo: { title: T, version: '1' }\nactions: []\n"
  const json = JSON.stringify({ overlay: '1.1.0', info: { title: 'T', version: '1' }, actions: [] })
  const shown = ({ name, text, isFile }: ChosenOverlay) => [name, text, isFile]

  test('are what says so at its top level, and is no description', () => {
    expect([yaml, `# of partners\n---\n"overlay": 1.0.0\n`, json, `\n${json}`].map(isOverlayText)).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(
      [
        'openapi: 3.1.0\noverlay: 1.1.0\n',
        'info:\n  overlay: 1.1.0\n',
        '{"info":{"overlay":"1.1.0"}}',
        '{"openapi":"3.1.0","overlay":"1.1.0"}',
        '',
      ].map(isOverlayText),
    ).toEqual([false, false, false, false, false])
  })

  test('are taken from files that are chosen together; those of a folder stay where its svc.yaml names them', async () => {
    const read = await readFiles([at('o.yaml', yaml), at('pets.yaml'), at('p.json', json)])
    expect(read.chosen).toEqual({ kind: 'text', name: 'pets.yaml', text: 'openapi: 3.1.0' })
    expect(read.overlays.map(shown)).toEqual([
      ['o.yaml', yaml, true],
      ['p.json', json, true],
    ])
    const folder = await readFiles([at('apis/pets.yaml'), at('apis/o.yaml', yaml)])
    expect([folder.chosen, folder.overlays]).toEqual([
      {
        kind: 'tree',
        name: 'apis',
        isFolder: true,
        files: [
          { path: 'pets.yaml', content: 'openapi: 3.1.0' },
          { path: 'o.yaml', content: yaml },
        ],
        bytes: 14 + yaml.length,
      },
      [],
    ])
    expect(await refusal([at('o.yaml', yaml)])).toBe(
      'o.yaml is an overlay, which changes a document. Choose the document, alone or together with its overlays.',
    )
  })

  test('are added later: only overlays, and only so many', async () => {
    expect((await readOverlayFiles([at('o.yaml', yaml)], 19)).map(shown)).toEqual([['o.yaml', yaml, true]])
    const failure = (files: readonly FileAt[], taken: number) =>
      readOverlayFiles(files, taken).catch((error: Error) => error.message)
    expect(await failure([at('o.yaml', yaml)], 20)).toBe('One import takes at most 20 overlays.')
    expect(await failure([at('pets.yaml')], 0)).toBe(
      'pets.yaml is no overlay: it has no "overlay" with the version of the specification.',
    )
  })

  test('have names of their own, are moved, and are sent in their order', () => {
    const [a, b] = [fileOverlay('o.yaml', 'a'), fileOverlay('o.yaml', 'b')]
    const all = withMore([a], [b, pastedOverlay('c')])
    expect(all.map(({ name }) => name)).toEqual(['o.yaml', 'o.yaml (2)', 'pasted overlay'])
    expect(new Set(all.map(({ id }) => id)).size).toBe(3)
    const order = (of: readonly ChosenOverlay[]) => of.map(({ text }) => text).join('')
    expect([order(moved(all, 2, -1)), order(moved(all, 0, 1)), order(moved(all, 7, 1))]).toEqual(['acb', 'bac', 'abc'])
    expect([overlaysOf(all), overlaysOf([])]).toEqual([
      {
        overlays: [
          { name: 'o.yaml', content: 'a' },
          { name: 'o.yaml (2)', content: 'b' },
          { name: 'pasted overlay', content: 'c' },
        ],
      },
      {},
    ])
    const pets: Chosen = { kind: 'text', name: 'pets.yaml', text: '' }
    expect([commandOf(pets, [a])?.words, commandOf(pets, all)]).toEqual([
      ['import', 'auto', 'pets.yaml', '--overlay', 'o.yaml'],
      null,
    ])
  })
})

describe('how it is sent and called', () => {
  const git: Chosen = { kind: 'git', url: 'https://example.com/a.git', ref: 'main', path: '' }
  const chosen: readonly Chosen[] = [
    { kind: 'text', name: 'pets.yaml', text: 'é' },
    { kind: 'tree', name: 'apis', isFolder: true, files: [{ path: 'a.yaml', content: 'x' }], bytes: 1 },
    { kind: 'tree', name: '2 files', isFolder: false, files: [], bytes: 0 },
    { kind: 'archive', name: 'apis.tar.gz', base64: 'AAAA', bytes: 3 },
    { kind: 'url', url: 'https://example.com/a.yaml?x=1' },
    { kind: 'url', url: 'https://example.com/apis.zip#v1' },
    git,
  ]

  test('as a source of the service', () => {
    expect(chosen.map(toSource)).toEqual([
      { kind: 'inline', name: 'pets.yaml', content: 'é' },
      { kind: 'files', name: 'apis', files: [{ path: 'a.yaml', content: 'x' }] },
      { kind: 'files', name: '2 files', files: [] },
      { kind: 'archive', name: 'apis.tar.gz', content_base64: 'AAAA' },
      { kind: 'url', url: 'https://example.com/a.yaml?x=1' },
      { kind: 'url', url: 'https://example.com/apis.zip#v1' },
      { kind: 'git', url: 'https://example.com/a.git', ref: 'main' },
    ])
  })

  test('by its name, its size, and whether it may hold several documents', () => {
    expect(chosen.map((it) => [nameOf(it), sizeOf(it), mayHoldSeveral(it)])).toEqual([
      ['pets.yaml', 2, false],
      ['apis', 1, true],
      ['2 files', 0, true],
      ['apis.tar.gz', 3, true],
      ['https://example.com/a.yaml?x=1', null, false],
      ['https://example.com/apis.zip#v1', null, true],
      ['https://example.com/a.git', null, true],
    ])
  })

  test('as a command', () => {
    expect(chosen.map((it) => commandOf(it)?.words ?? null)).toEqual([
      ['import', 'auto', 'pets.yaml'],
      ['import', 'auto', 'apis'],
      null,
      ['import', 'auto', 'apis.tar.gz'],
      ['import', 'auto', 'https://example.com/a.yaml?x=1'],
      ['import', 'auto', 'https://example.com/apis.zip#v1'],
      ['import', 'git', 'https://example.com/a.git'],
    ])
    expect(commandOf(git)?.options).toEqual({ ref: 'main', path: '' })
  })
})
