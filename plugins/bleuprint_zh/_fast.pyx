# cython: language_level=3, boundscheck=False, wraparound=False
"""The rules of `_jieba_fast`, compiled: a trie in flat arrays, and words that share one string."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.unicode cimport PyUnicode_Substring
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from math import log


cdef extern from "Python.h":
    Py_UCS4* PyUnicode_AsUCS4(object text, Py_UCS4* buffer, Py_ssize_t size, int null) except NULL
    Py_UCS4* PyUnicode_AsUCS4Copy(object text) except NULL
    object PyUnicode_FromKindAndData(int kind, const void* buffer, Py_ssize_t size)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)


cdef enum:
    FIRST_HAN = 0x4E00
    LAST_HAN = 0x9FD5  # of what jieba takes for Han, in its dictionary and in its model
    HAN = LAST_HAN - FIRST_HAN + 1
    CODE_POINT_BITS = 21
    FEWEST_SLOTS_BITS = 16
    LONGEST_COUNT = 15  # digits; sums stay far below 2**63

# What a node of the trie is, besides the beginning of a word.
cdef enum:
    WORD = 1
    INNER = 2  # it begins longer words

# The kinds of characters.
cdef enum:
    OTHER = 0  # outside blocks
    SIGN = 1
    ALPHANUMERIC = 2
    IDEOGRAPH = 3

# How a state of the model came about: from the second of its two possible predecessors.
cdef enum:
    B_FROM_S = 1  # else from E
    M_FROM_M = 2  # else from B
    E_FROM_M = 4  # else from B
    S_FROM_S = 8  # else from E


cdef double NEVER = -3.14e100  # jieba's log probability of what was not seen in training


cdef inline int kind_of(uint32_t character) noexcept:
    if FIRST_HAN <= character <= LAST_HAN:
        return IDEOGRAPH
    if character >= 128:
        return OTHER
    if c'a' <= (character | 32) <= c'z' or c'0' <= character <= c'9':
        return ALPHANUMERIC
    if character in (c'+', c'#', c'&', c'.', c'_', c'%', c'-'):
        return SIGN
    return OTHER


cdef inline bint is_digit(uint32_t character) noexcept:
    return c'0' <= character <= c'9'


cdef class _Trie:
    """All beginnings of words.  A node is a number from 1; 0 is no node."""

    cdef uint32_t* roots  # by code point of the Basic Multilingual Plane: the node, or 0
    # An open hash table from a node and the next character to a node.
    cdef uint64_t* keys
    cdef uint32_t* children
    cdef int bits
    cdef uint32_t used
    # By node.
    cdef uint8_t* flags
    cdef double* scores  # log probabilities; while the dictionary is read, counts
    cdef uint32_t nodes, capacity

    def __cinit__(self):
        self.capacity = 1 << FEWEST_SLOTS_BITS
        self.nodes = 1
        self.bits = FEWEST_SLOTS_BITS
        self.roots = <uint32_t*>PyMem_Calloc(0x10000, sizeof(uint32_t))
        self.keys = <uint64_t*>PyMem_Calloc(<size_t>1 << self.bits, sizeof(uint64_t))
        self.children = <uint32_t*>PyMem_Calloc(<size_t>1 << self.bits, sizeof(uint32_t))
        self.flags = <uint8_t*>PyMem_Calloc(self.capacity, sizeof(uint8_t))
        self.scores = <double*>PyMem_Calloc(self.capacity, sizeof(double))
        if (self.roots == NULL or self.keys == NULL or self.children == NULL
                or self.flags == NULL or self.scores == NULL):
            raise MemoryError()

    def __dealloc__(self):
        PyMem_Free(self.roots)
        PyMem_Free(self.keys)
        PyMem_Free(self.children)
        PyMem_Free(self.flags)
        PyMem_Free(self.scores)

    cdef inline size_t slot(self, uint64_t key) noexcept:
        """The key's slot, or the free slot where it belongs.  There is always a free one."""
        cdef size_t mask = (<size_t>1 << self.bits) - 1
        cdef size_t slot = <size_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> (64 - self.bits))
        while self.keys[slot] != 0 and self.keys[slot] != key:
            slot = (slot + 1) & mask
        return slot

    cdef inline uint32_t root(self, uint32_t character) noexcept:
        return self.roots[character] if character < 0x10000 else 0

    cdef inline uint32_t child(self, uint32_t node, uint32_t character) noexcept:
        cdef size_t slot = self.slot(<uint64_t>node << CODE_POINT_BITS | character)
        return self.children[slot] if self.keys[slot] != 0 else 0

    cdef uint32_t find(self, const uint32_t* text, Py_ssize_t size) noexcept:
        """The node of a string of one character or more."""
        cdef uint32_t node = self.root(text[0])
        cdef Py_ssize_t index
        for index in range(1, size):
            if node == 0 or not self.flags[node] & INNER:
                return 0
            node = self.child(node, text[index])
        return node

    cdef uint32_t new_node(self) except 0:
        cdef void* grown
        if self.nodes == self.capacity:
            grown = PyMem_Realloc(self.flags, <size_t>2 * self.capacity * sizeof(uint8_t))
            if grown == NULL:
                raise MemoryError()
            self.flags = <uint8_t*>grown
            grown = PyMem_Realloc(self.scores, <size_t>2 * self.capacity * sizeof(double))
            if grown == NULL:
                raise MemoryError()
            self.scores = <double*>grown
            memset(self.flags + self.capacity, 0, self.capacity * sizeof(uint8_t))
            memset(self.scores + self.capacity, 0, self.capacity * sizeof(double))
            self.capacity *= 2
        self.nodes += 1
        return self.nodes - 1

    cdef int grow(self) except -1:
        """Double the hash table."""
        cdef uint64_t* keys = self.keys
        cdef uint32_t* children = self.children
        cdef size_t old, slot, size = <size_t>1 << self.bits
        cdef uint64_t* new_keys = <uint64_t*>PyMem_Calloc(2 * size, sizeof(uint64_t))
        cdef uint32_t* new_children = <uint32_t*>PyMem_Calloc(2 * size, sizeof(uint32_t))
        if new_keys == NULL or new_children == NULL:
            PyMem_Free(new_keys)
            PyMem_Free(new_children)
            raise MemoryError()
        self.keys = new_keys
        self.children = new_children
        self.bits += 1
        for old in range(size):
            if keys[old] != 0:
                slot = self.slot(keys[old])
                self.keys[slot] = keys[old]
                self.children[slot] = children[old]
        PyMem_Free(keys)
        PyMem_Free(children)
        return 0

    cdef uint32_t add(self, const uint32_t* word, Py_ssize_t size) except? 0:
        """The node of a word, made where there is none; 0 for a word that no block can hold."""
        cdef uint32_t node, below
        cdef size_t slot
        cdef uint64_t key
        cdef Py_ssize_t index
        for index in range(size):
            if kind_of(word[index]) == OTHER:
                return 0
        node = self.roots[word[0]]
        if node == 0:
            node = self.roots[word[0]] = self.new_node()
        for index in range(1, size):
            self.flags[node] |= INNER
            key = <uint64_t>node << CODE_POINT_BITS | word[index]
            slot = self.slot(key)
            if self.keys[slot] == 0:
                below = self.new_node()
                self.keys[slot] = key
                self.children[slot] = below
                self.used += 1
                if self.used > <uint32_t>1 << (self.bits - 1):
                    self.grow()
                node = below
            else:
                node = self.children[slot]
        return node


cdef class _Room:
    """Room to cut one line in, of up to so many characters."""

    cdef uint32_t* text
    cdef double* path  # log probability of the best path from here to the block's end
    cdef Py_ssize_t* ends  # where the best word from here ends
    cdef uint32_t* nodes  # its node
    cdef uint8_t* origins  # of the model's states

    def __cinit__(self, size_t size):
        self.text = <uint32_t*>PyMem_Calloc(size + 1, sizeof(uint32_t))
        self.path = <double*>PyMem_Calloc(size + 1, sizeof(double))
        self.ends = <Py_ssize_t*>PyMem_Calloc(size + 1, sizeof(Py_ssize_t))
        self.nodes = <uint32_t*>PyMem_Calloc(size + 1, sizeof(uint32_t))
        self.origins = <uint8_t*>PyMem_Calloc(size + 1, sizeof(uint8_t))
        if (self.text == NULL or self.path == NULL or self.ends == NULL
                or self.nodes == NULL or self.origins == NULL):
            raise MemoryError()

    def __dealloc__(self):
        PyMem_Free(self.text)
        PyMem_Free(self.path)
        PyMem_Free(self.ends)
        PyMem_Free(self.nodes)
        PyMem_Free(self.origins)


cdef class Jieba:
    """jieba's words by a dictionary and, unless that is None, a hidden Markov model.

    The dictionary is the text of jieba's `dict.txt`; a line of another shape than
    ``word count tag`` is a ValueError.
    """

    cdef _Trie trie
    cdef list words  # by node: its string, once it was needed
    cdef double unknown  # log probability of a character that is no word
    # The model: log probabilities in the states B, M, E, S.
    cdef bint guesses
    cdef double start[4]
    cdef double transition[8]  # B to M, B to E, M to M, M to E, E to B, E to S, S to B, S to S
    cdef double* emission  # four for each Han

    def __cinit__(self, str dictionary not None, model):
        self.trie = _Trie()
        self.read(dictionary)
        self.words = [None] * self.trie.nodes
        self.guesses = model is not None
        if self.guesses:
            self.read_model(model)

    def __dealloc__(self):
        PyMem_Free(self.emission)

    def cut(self, list lines not None):
        """Return the words of each line."""
        cdef Py_ssize_t longest = 0
        lines = lines[:]  # nobody else may change it meanwhile
        for line in lines:
            if not isinstance(line, str):
                raise TypeError(f"expected str, got {type(line).__name__}")
            longest = max(longest, PyUnicode_GET_LENGTH(line))
        cdef _Room room = _Room(longest)  # its own: a second thread may be in here, too
        return [self.cut_line(line, room) for line in lines]

    cdef list cut_line(self, line, _Room room):
        cdef list words = []
        cdef Py_ssize_t begin = 0, end, size = PyUnicode_GET_LENGTH(line)
        if size == 0:
            return words
        PyUnicode_AsUCS4(line, <Py_UCS4*>room.text, size, 0)
        while begin < size:
            if kind_of(room.text[begin]) == OTHER:
                if not (<Py_UCS4>room.text[begin]).isspace():
                    words.append(PyUnicode_Substring(line, begin, begin + 1))
                begin += 1
                continue
            end = begin + 1
            while end < size and kind_of(room.text[end]) != OTHER:
                end += 1
            self.find_path(room, begin, end)
            self.cut_block(line, room, begin, end, words)
            begin = end
        return words

    cdef void find_path(self, _Room room, Py_ssize_t begin, Py_ssize_t end) noexcept:
        """Find the best word from every position of a block on.  Equals go to the longer word."""
        cdef _Trie trie = self.trie
        cdef const uint32_t* text = room.text
        cdef Py_ssize_t position, next, best_end
        cdef uint32_t node, best_node
        cdef double best, score
        room.path[end] = 0.0
        for position in range(end - 1, begin - 1, -1):
            best = 0.0
            best_end = best_node = 0
            next = position + 1
            node = trie.root(text[position])
            while node != 0:
                if trie.flags[node] & WORD:
                    score = trie.scores[node] + room.path[next]
                    if best_node == 0 or score >= best:
                        best = score
                        best_end = next
                        best_node = node
                if next == end or not trie.flags[node] & INNER:
                    break
                node = trie.child(node, text[next])
                next += 1
            if best_node == 0:
                best_end = position + 1
                best = self.unknown + room.path[best_end]
            room.path[position] = best
            room.ends[position] = best_end
            room.nodes[position] = best_node

    cdef int cut_block(
        self, line, _Room room, Py_ssize_t begin, Py_ssize_t end, list words
    ) except -1:
        cdef Py_ssize_t position = begin, single = begin, word_end
        while position < end:
            word_end = room.ends[position]
            if word_end - position > 1:
                self.cut_singles(line, room, single, position, words)
                words.append(self.word(line, room.nodes[position], position, word_end))
                single = word_end
            position = word_end
        self.cut_singles(line, room, single, end, words)
        return 0

    cdef int cut_singles(
        self, line, _Room room, Py_ssize_t begin, Py_ssize_t end, list words
    ) except -1:
        """Append the words of a run of characters that the best path leaves single."""
        cdef Py_ssize_t position
        cdef uint32_t node
        if end - begin > 1:
            if not self.guesses:
                return self.join_letters(line, room, begin, end, words)
            node = self.trie.find(room.text + begin, end - begin)
            if node == 0 or not self.trie.flags[node] & WORD:
                return self.guess(line, room, begin, end, words)
            # a word that the path has taken apart stays apart
        for position in range(begin, end):
            words.append(self.character(line, room, position))
        return 0

    cdef int join_letters(
        self, line, _Room room, Py_ssize_t begin, Py_ssize_t end, list words
    ) except -1:
        """Append single characters, letters and digits in a row as one word."""
        cdef Py_ssize_t word_end
        while begin < end:
            word_end = begin
            while word_end < end and kind_of(room.text[word_end]) == ALPHANUMERIC:
                word_end += 1
            if word_end - begin > 1:
                words.append(PyUnicode_Substring(line, begin, word_end))
            else:
                word_end = begin + 1
                words.append(self.character(line, room, begin))
            begin = word_end
        return 0

    cdef int guess(
        self, line, _Room room, Py_ssize_t begin, Py_ssize_t end, list words
    ) except -1:
        """Append what the model makes of Han; numbers and words of ASCII; the signs between."""
        cdef const uint32_t* text = room.text
        cdef Py_ssize_t word_end
        cdef int kind
        while begin < end:
            kind = kind_of(text[begin])
            word_end = begin + 1
            while word_end < end and kind_of(text[word_end]) == kind:
                word_end += 1
            if kind == IDEOGRAPH:
                self.guess_han(line, room, begin, word_end, words)
            else:
                if kind == ALPHANUMERIC:
                    if word_end + 1 < end and text[word_end] == c'.' and is_digit(text[word_end + 1]):
                        word_end += 2
                        while word_end < end and is_digit(text[word_end]):
                            word_end += 1
                    if word_end < end and text[word_end] == c'%':
                        word_end += 1
                words.append(PyUnicode_Substring(line, begin, word_end))
            begin = word_end
        return 0

    cdef int guess_han(
        self, line, _Room room, Py_ssize_t begin, Py_ssize_t end, list words
    ) except -1:
        """Append the words of Han by its likeliest states."""
        cdef int state = self.find_states(room, begin, end)
        cdef Py_ssize_t position, word_begin
        # From the last state back, note where words end; then read them in order.
        for position in range(end - 1, begin - 1, -1):
            origin = room.origins[position]
            room.ends[position] = state in (c'E', c'S')
            if state == c'S':
                state = c'S' if origin & S_FROM_S else c'E'
            elif state == c'E':
                state = c'M' if origin & E_FROM_M else c'B'
            elif state == c'M':
                state = c'M' if origin & M_FROM_M else c'B'
            else:
                state = c'S' if origin & B_FROM_S else c'E'
        word_begin = begin
        for position in range(begin, end):
            if room.ends[position]:
                if position == word_begin:
                    words.append(self.character(line, room, position))
                else:
                    words.append(PyUnicode_Substring(line, word_begin, position + 1))
                word_begin = position + 1
        return 0

    cdef int find_states(self, _Room room, Py_ssize_t begin, Py_ssize_t end) noexcept:
        """Find how each state came about (Viterbi), and return the last one, E or S.

        Sums are taken in jieba's order: state before, transition, emission.  Of equals the state
        later in the alphabet wins: S over E, M over B, M over E.
        """
        cdef const double* to = self.transition
        cdef const double* emit = self.emission + 4 * (room.text[begin] - FIRST_HAN)
        cdef double b = self.start[0] + emit[0], m = self.start[1] + emit[1]
        cdef double e = self.start[2] + emit[2], s = self.start[3] + emit[3]
        cdef double new_b, new_m, new_e, new_s, other
        cdef Py_ssize_t position
        cdef uint8_t origin
        room.origins[begin] = 0
        for position in range(begin + 1, end):
            emit = self.emission + 4 * (room.text[position] - FIRST_HAN)
            origin = 0
            new_b = e + to[4] + emit[0]
            other = s + to[6] + emit[0]
            if other >= new_b:
                new_b = other
                origin |= B_FROM_S
            new_m = b + to[0] + emit[1]
            other = m + to[2] + emit[1]
            if other >= new_m:
                new_m = other
                origin |= M_FROM_M
            new_e = b + to[1] + emit[2]
            other = m + to[3] + emit[2]
            if other >= new_e:
                new_e = other
                origin |= E_FROM_M
            new_s = e + to[5] + emit[3]
            other = s + to[7] + emit[3]
            if other >= new_s:
                new_s = other
                origin |= S_FROM_S
            b, m, e, s = new_b, new_m, new_e, new_s
            room.origins[position] = origin
        return c'S' if s >= e else c'E'

    cdef object character(self, line, _Room room, Py_ssize_t position):
        return self.word(line, self.trie.root(room.text[position]), position, position + 1)

    cdef object word(self, line, uint32_t node, Py_ssize_t begin, Py_ssize_t end):
        """The string of a node, 0 for none: one for all its places, which makes counting faster."""
        if node == 0:
            return PyUnicode_Substring(line, begin, end)
        word = self.words[node]
        if word is None:
            word = self.words[node] = PyUnicode_Substring(line, begin, end)
        return word

    cdef int read(self, str dictionary) except -1:
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(dictionary)
        cdef uint32_t* text = <uint32_t*>PyUnicode_AsUCS4Copy(dictionary)
        cdef int64_t total
        try:
            total = self.read_lines(text, size)
        finally:
            PyMem_Free(text)
        cdef double log_total = log(total)
        cdef dict logs = {}  # Python's own logarithm, so that the last bit is as in Python
        cdef uint32_t node
        self.unknown = log(1) - log_total
        for node in range(1, self.trie.nodes):
            if self.trie.flags[node] & WORD:
                count = <int64_t>self.trie.scores[node]
                score = logs.get(count)
                if score is None:
                    score = logs[count] = log(count) - log_total
                self.trie.scores[node] = score
        return 0

    cdef int64_t read_lines(self, const uint32_t* text, Py_ssize_t size) except -1:
        """Put the words into the trie, with their counts for scores; return the sum of all counts."""
        cdef Py_ssize_t begin = 0, space, digit, tag, end
        cdef int64_t count, total = 0
        cdef uint32_t node
        while begin < size:
            end = space = begin
            while end < size and text[end] != c'\n':
                end += 1
            while space < end and text[space] != c' ':
                space += 1
            digit = space + 1
            count = 0
            while digit < end and is_digit(text[digit]) and digit - space <= LONGEST_COUNT:
                count = 10 * count + (text[digit] - c'0')
                digit += 1
            tag = digit + 1
            while tag < end and text[tag] != c' ':
                tag += 1
            if (space == begin or digit == space + 1 or digit + 1 >= end or text[digit] != c' '
                    or tag < end):
                raise ValueError(PyUnicode_FromKindAndData(4, text + begin, end - begin))
            total += count
            node = self.trie.add(text + begin, space - begin)
            if node != 0:
                self.trie.scores[node] = <double>count
                if count > 0:
                    self.trie.flags[node] |= WORD
                else:
                    self.trie.flags[node] &= ~WORD
            begin = end + 1
        return total

    cdef int read_model(self, model) except -1:
        cdef Py_ssize_t index
        self.emission = <double*>PyMem_Malloc(4 * HAN * sizeof(double))
        if self.emission == NULL:
            raise MemoryError()
        for index in range(4 * HAN):
            self.emission[index] = NEVER
        for index in range(4):
            self.start[index] = model.start[index]
        for index in range(8):
            self.transition[index] = model.transition[index]
        for character, scores in model.emission.items():
            if FIRST_HAN <= ord(character) <= LAST_HAN:
                for index in range(4):
                    self.emission[4 * (ord(character) - FIRST_HAN) + index] = scores[index]
        return 0
