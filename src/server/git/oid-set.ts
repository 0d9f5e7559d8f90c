// A set of object ids that takes 20 bytes each: walks over 200,000 objects stay in a few megabytes.
import { oidFromBytes, oidToBytes, type Oid } from "./oid.ts";

const OID_BYTES = 20;
const FIRST_SLOTS = 1024;

/** Open addressing over one byte array, filled to at most a half; an id's first four bytes are its hash. Keeps insertion order. */
export class OidSet {
  #oids = new Uint8Array(FIRST_SLOTS * OID_BYTES);
  #slots = new Int32Array(FIRST_SLOTS * 2);
  #size = 0;

  /** A set of the same ids that grows on its own. */
  copy(): OidSet {
    const made = new OidSet();
    made.#oids = this.#oids.slice();
    made.#slots = this.#slots.slice();
    made.#size = this.#size;
    return made;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds the id at an offset; false when it was there. */
  addBytes(bytes: Uint8Array, offset = 0): boolean {
    const slot = this.#find(bytes, offset);
    if (this.#slots[slot] !== 0) return false;
    if ((this.#size + 1) * OID_BYTES > this.#oids.byteLength) {
      this.#grow();
      return this.addBytes(bytes, offset);
    }
    for (let i = 0; i < OID_BYTES; i++) this.#oids[this.#size * OID_BYTES + i] = bytes[offset + i]!;
    // Slot values count from 1: 0 means free.
    this.#slots[slot] = ++this.#size;
    return true;
  }

  add(oid: Oid): boolean {
    return this.addBytes(oidToBytes(oid));
  }

  hasBytes(bytes: Uint8Array, offset = 0): boolean {
    return this.#slots[this.#find(bytes, offset)] !== 0;
  }

  /** The number under which an id was added, from 0; -1 when it was not. */
  indexOfBytes(bytes: Uint8Array, offset = 0): number {
    return this.#slots[this.#find(bytes, offset)]! - 1;
  }

  has(oid: Oid): boolean {
    return this.hasBytes(oidToBytes(oid));
  }

  /** The id that was added as number `index`, from 0. */
  bytesAt(index: number): Uint8Array {
    return this.#oids.subarray(index * OID_BYTES, (index + 1) * OID_BYTES);
  }

  *[Symbol.iterator](): Generator<Oid> {
    for (let i = 0; i < this.#size; i++) yield oidFromBytes(this.#oids, i * OID_BYTES);
  }

  #find(bytes: Uint8Array, offset: number): number {
    const mask = this.#slots.length - 1;
    const hash = bytes[offset]! | (bytes[offset + 1]! << 8) | (bytes[offset + 2]! << 16) | (bytes[offset + 3]! << 24);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]!;
      if (number === 0) return slot;
      const at = (number - 1) * OID_BYTES;
      let i = 0;
      while (i < OID_BYTES && this.#oids[at + i] === bytes[offset + i]) i++;
      if (i === OID_BYTES) return slot;
    }
  }

  #grow(): void {
    const oids = new Uint8Array(this.#oids.byteLength * 2);
    oids.set(this.#oids);
    this.#oids = oids;
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let i = 0; i < this.#size; i++) this.#slots[this.#find(oids, i * OID_BYTES)] = i + 1;
  }
}
