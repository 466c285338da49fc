/** Packs archives for tests, sound ones and hostile ones. */
import zlib from 'node:zlib'

export interface Packed {
  readonly path: string
  readonly content: string | Uint8Array
  /** File type and permissions of Unix; a regular file when omitted. */
  readonly mode?: number
  /** For zip: bit 0 is encryption. */
  readonly flags?: number
  /** For zip: what the directory says in place of the real size. */
  readonly claims?: number
  /** For tar: "0" a file, "2" a symbolic link, "5" a folder … */
  readonly type?: string
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content

/** A zip archive; every entry is deflated. */
export function packZip(entries: readonly Packed[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { path, content, mode = 0o100644, flags = 0x800, claims } of entries) {
    const name = new TextEncoder().encode(path)
    const bytes = bytesOf(content)
    const packed = new Uint8Array(zlib.deflateRawSync(bytes))
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(flags, 2)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt32LE(zlib.crc32(bytes), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(claims ?? bytes.length, 18)
    shared.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, name, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([20, 3]), shared, rest, name]))
    parts.push(local)
    offset += local.length
  }
  const size = directory.reduce((sum, one) => sum + one.length, 0)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]))
}

/** A tar archive in ustar form; long names as GNU writes them. */
export function packTar(entries: readonly Packed[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  const add = (name: string, type: string, bytes: Uint8Array, link = '') => {
    const header = Buffer.alloc(512)
    header.write(name.slice(0, 100), 0)
    header.write('0000644\0', 100)
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('00000000000\0', 136)
    header.write('        ', 148)
    header.write(type, 156)
    header.write(link, 157)
    header.write('ustar\x0000', 257)
    header.write(
      `${header
        .reduce((sum, one) => sum + one, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    )
    parts.push(header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512))
  }
  for (const { path, content, type = '0' } of entries) {
    const bytes = bytesOf(content)
    if (path.length > 100) add('././@LongLink', 'L', bytesOf(`${path}\0`))
    if (type === '2' || type === '1') add(path, type, new Uint8Array(), String(content))
    else add(path, type, bytes)
  }
  parts.push(Buffer.alloc(1024))
  return new Uint8Array(Buffer.concat(parts))
}

/** A tar archive packed with gzip. */
export const packTarGz = (entries: readonly Packed[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(zlib.gzipSync(packTar(entries)))
