# cython: language_level=3, boundscheck=False, wraparound=False
"""The rules of `_newmm_fast`, compiled: a trie in flat arrays, and words that share one string."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from cpython.unicode cimport PyUnicode_Substring
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memmove, memset


cdef extern from "Python.h":
    Py_UCS4* PyUnicode_AsUCS4(object text, Py_UCS4* buffer, Py_ssize_t size, int null) except NULL
    Py_UCS4 PyUnicode_READ_CHAR(object text, Py_ssize_t index)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)


cdef enum:
    MOST_WAYS = 50  # once so many are known before all ways meet, one more a place is enough
    # Places are looked at one by one, and past the limit each adds one at most.
    MOST_PENDING = MOST_WAYS + 2
    PADDING = 8  # zeros behind a text: no rule looks further, and 0 fits none

# Thai by code point; c is for the consonants, ก to ฮ.
cdef enum:
    THAI = 0x0E00
    AFTER_THAI = 0x0E80
    FIRST_CONSONANT = 0x0E01
    RO_RUA = 0x0E23  # ร
    YO_YAK = 0x0E22  # ย
    WO_WAEN = 0x0E27  # ว
    O_ANG = 0x0E2D  # อ
    LAST_CONSONANT = 0x0E2E
    SARA_A = 0x0E30  # ะ
    MAI_HAN_AKAT = 0x0E31  # ั
    SARA_AA = 0x0E32  # า
    SARA_AM = 0x0E33  # ำ
    SARA_I = 0x0E34  # ิ
    SARA_II = 0x0E35  # ี
    SARA_UEE = 0x0E37  # ื
    SARA_U = 0x0E38  # ุ
    SARA_UU = 0x0E39  # ู
    SARA_E = 0x0E40  # เ
    SARA_AE = 0x0E41  # แ
    SARA_O = 0x0E42  # โ
    SARA_AI_MAIMALAI = 0x0E44  # ไ
    MAITAIKHU = 0x0E47  # ็
    FIRST_TONE = 0x0E48
    LAST_TONE = 0x0E4B
    THANTHAKHAT = 0x0E4C  # ์


cdef inline bint is_consonant(uint32_t character) noexcept:
    return FIRST_CONSONANT <= character <= LAST_CONSONANT


cdef inline const uint32_t* tone(const uint32_t* at) noexcept:
    """Where the tone mark ends that may stand here."""
    return at + 1 if FIRST_TONE <= at[0] <= LAST_TONE else at


cdef inline const uint32_t* silenced(const uint32_t* at) noexcept:
    """Where the letters end that may stand here and that a thanthakhat makes mute."""
    cdef const uint32_t* end = at
    if is_consonant(end[0]):
        end += 2 if is_consonant(end[1]) else 1
        if end[0] == SARA_I or end[0] == SARA_U or end[0] == SARA_UU:
            end += 1
        if end[0] == THANTHAKHAT:
            return end + 1
    return at


cdef inline bint before_syllable(const uint32_t* at, const uint32_t* end) noexcept:
    return (is_consonant(at[0]) or SARA_E <= at[0] <= SARA_AI_MAIMALAI
            or at == end or (at[0] == c'\n' and at + 1 == end))


cdef const uint32_t* cluster_end(const uint32_t* at, const uint32_t* end) noexcept:
    """Where the Thai character cluster that starts here ends: the rules in newmm's order."""
    cdef const uint32_t* rest
    if is_consonant(at[0]):
        return after_consonant(at + 1)
    if at[0] < SARA_E or at[0] > SARA_AI_MAIMALAI or not is_consonant(at[1]):
        return at + 1
    rest = tone(at + 2)
    if at[0] == SARA_E:
        return after_e(at + 2, end)
    if at[0] == SARA_AE:
        at += 2
        if at[0] == MAITAIKHU and is_consonant(at[1]):
            return at + 2
        if is_consonant(at[0]) and at[1] == THANTHAKHAT:
            return at + 2
        if rest[0] == SARA_A:
            return rest + 1
        if is_consonant(at[0]) and at[1] == MAITAIKHU and is_consonant(at[2]):
            return at + 3
        if is_consonant(at[0]) and is_consonant(at[1]) and at[2] == THANTHAKHAT:
            return at + 3
    elif at[0] == SARA_O and rest[0] == SARA_A:
        return rest + 1
    return rest


cdef const uint32_t* after_consonant(const uint32_t* at) noexcept:
    """Where a cluster of a consonant and what starts here ends."""
    cdef uint32_t vowel = at[0]
    cdef const uint32_t* rest = tone(at + 1)
    if vowel == MAI_HAN_AKAT and rest[0] == WO_WAEN and rest[1] == SARA_A:
        return silenced(rest + 2)
    if (vowel == MAI_HAN_AKAT or vowel == SARA_UEE) and is_consonant(rest[0]):
        rest += 1
        if rest[0] == SARA_A or rest[0] == SARA_I or rest[0] == SARA_U:
            rest += 1
        return silenced(rest)
    if ((vowel == SARA_I or vowel == SARA_U or vowel == SARA_UU) and at[1] == THANTHAKHAT):
        return at + 2
    if SARA_A <= vowel <= SARA_UU:
        return silenced(rest)
    if vowel == RO_RUA and at[1] == RO_RUA and is_consonant(at[2]) and at[3] == THANTHAKHAT:
        return at + 4
    if vowel == MAITAIKHU:
        return at + 1
    rest = tone(at)
    if rest[0] == SARA_A or rest[0] == SARA_AA or rest[0] == SARA_AM:
        rest += 1
    return silenced(rest)


cdef const uint32_t* after_e(const uint32_t* at, const uint32_t* end) noexcept:
    """Where a cluster of เ, a consonant and what starts here ends."""
    cdef uint32_t vowel = at[0]
    cdef const uint32_t* rest
    if is_consonant(vowel):
        rest = tone(at + 1)
        if rest[0] == SARA_AA and rest[1] == SARA_A:
            return silenced(rest + 2)
        if at[1] == SARA_II:
            rest = tone(at + 2)
            if rest[0] == YO_YAK:
                if rest[1] == SARA_A:
                    return silenced(rest + 2)
                if before_syllable(rest + 1, end):
                    return silenced(rest + 1)
        if at[1] == MAITAIKHU and is_consonant(at[2]):
            return silenced(at + 3)
    elif vowel == MAITAIKHU:
        if is_consonant(at[1]):
            return silenced(at + 2)
    else:
        rest = tone(at + 1)
        if vowel == SARA_I:
            if is_consonant(at[1]) and at[2] == THANTHAKHAT and is_consonant(at[3]):
                return silenced(at + 4)
            if is_consonant(rest[0]):
                return silenced(rest + 1)
        elif (vowel == SARA_II and rest[0] == YO_YAK) or (vowel == SARA_UEE and rest[0] == O_ANG):
            return silenced(rest + 2 if rest[1] == SARA_A else rest + 1)
        elif ((vowel == SARA_U or vowel == SARA_UU) and rest[0] == YO_YAK
                and before_syllable(rest + 1, end)):
            return silenced(rest + 1)
    rest = tone(at)
    if rest[0] == SARA_AA:
        rest += 1
    if rest[0] == SARA_A:
        rest += 1
    return silenced(rest)


cdef inline bint is_latin(uint32_t character) noexcept:
    return c'a' <= (character | 32) <= c'z' or character == c'-'


cdef inline bint is_digit(uint32_t character) noexcept:
    """Whether it is a decimal digit of any script."""
    if character < 128:
        return c'0' <= character <= c'9'
    return (<Py_UCS4>character).isdecimal()


cdef inline bint is_other(uint32_t character) noexcept:
    """Whether it is neither Thai nor one of the white space that has rules of its own."""
    return (not THAI <= character < AFTER_THAI and character != c' ' and character != c'\t'
            and character != c'\r' and character != c'\n')


cdef Py_ssize_t foreign_end(const uint32_t* text, Py_ssize_t at, Py_ssize_t size) noexcept:
    """Where the foreign word ends that starts here; -1 for none."""
    cdef Py_ssize_t end = at + 1
    if is_latin(text[at]):
        while end < size and is_latin(text[end]):
            end += 1
    elif is_digit(text[at]):
        while True:
            while end < size and is_digit(text[end]):
                end += 1
            if end + 1 < size and (text[end] == c',' or text[end] == c'.') and is_digit(text[end + 1]):
                end += 2
            else:
                break
    elif text[at] == c' ' or text[at] == c'\t':
        while end < size and (text[end] == c' ' or text[end] == c'\t'):
            end += 1
    elif text[at] == c'\r':
        end = at + 2 if end < size and text[end] == c'\n' else -1
    elif is_other(text[at]):
        while end < size and is_other(text[end]):
            end += 1
    elif text[at] != c'\n':
        end = -1
    return end


cdef class _Trie:
    """The dictionary.  A node is a number; 0 is the root, and no word ends there."""

    cdef uint32_t* characters
    cdef uint32_t* below  # the first node below; the last is the one before the next node's first
    cdef uint8_t* ends  # whether a word ends at a node
    cdef uint32_t nodes

    def __cinit__(self, words):
        cdef list ordered = sorted(set(words))
        cdef size_t most = 1
        for word in ordered:
            if not isinstance(word, str):
                raise TypeError(f"expected str, got {type(word).__name__}")
            most += PyUnicode_GET_LENGTH(word)
        if most > 0xFFFFFFFF:
            raise OverflowError("a dictionary of 4 GB")
        self.characters = <uint32_t*>PyMem_Calloc(most, sizeof(uint32_t))
        self.below = <uint32_t*>PyMem_Calloc(most + 1, sizeof(uint32_t))
        self.ends = <uint8_t*>PyMem_Calloc(most, sizeof(uint8_t))
        # The words that begin as the node does, as long as the trie is made.
        cdef uint32_t* first = <uint32_t*>PyMem_Calloc(most, sizeof(uint32_t))
        cdef uint32_t* last = <uint32_t*>PyMem_Calloc(most, sizeof(uint32_t))
        try:
            if (self.characters == NULL or self.below == NULL or self.ends == NULL
                    or first == NULL or last == NULL):
                raise MemoryError()
            self.build(ordered, first, last)
        finally:
            PyMem_Free(first)
            PyMem_Free(last)

    def __dealloc__(self):
        PyMem_Free(self.characters)
        PyMem_Free(self.below)
        PyMem_Free(self.ends)

    cdef int build(self, list words, uint32_t* first, uint32_t* last) except -1:
        """Make the nodes level by level, so that those below one node lie side by side."""
        cdef uint32_t node = 0, level_end = 1, word
        cdef Py_ssize_t depth = 0
        cdef uint32_t character
        self.nodes = 1
        first[0] = 0
        last[0] = len(words)
        while node < self.nodes:
            if node == level_end:
                level_end = self.nodes
                depth += 1
            self.below[node] = self.nodes
            word = first[node]
            if word < last[node] and PyUnicode_GET_LENGTH(words[word]) == depth:
                self.ends[node] = node != 0
                word += 1
            while word < last[node]:
                character = PyUnicode_READ_CHAR(words[word], depth)
                self.characters[self.nodes] = character
                first[self.nodes] = word
                while word < last[node] and PyUnicode_READ_CHAR(words[word], depth) == character:
                    word += 1
                last[self.nodes] = word
                self.nodes += 1
            node += 1
        self.below[self.nodes] = self.nodes
        return 0

    cdef inline uint32_t child(self, uint32_t node, uint32_t character) noexcept:
        """The node below, by a character; 0 for none."""
        cdef uint32_t low = self.below[node], high = self.below[node + 1], middle, end = high
        while low < high:
            middle = (low + high) >> 1
            if self.characters[middle] < character:
                low = middle + 1
            else:
                high = middle
        return low if low < end and self.characters[low] == character else 0


cdef class _Room:
    """Room to cut one line in, of up to so many characters."""

    cdef uint32_t* text  # with zeros behind it
    cdef uint8_t* ends  # by place: whether a cluster ends there
    # The words found: where each ends, and its node, 0 for one that the dictionary lacks.
    cdef Py_ssize_t* cuts
    cdef uint32_t* nodes
    cdef Py_ssize_t words
    # Ways between two meeting places, those from one place side by side.
    cdef Py_ssize_t* way_ends
    cdef uint32_t* way_nodes
    cdef Py_ssize_t ways
    # By place: its ways, and on the best path to it the place before and the node between.
    cdef Py_ssize_t* first_way
    cdef Py_ssize_t* last_way
    cdef Py_ssize_t* before
    cdef uint32_t* node_before
    cdef Py_ssize_t* queue

    def __cinit__(self, size_t size):
        size += MOST_PENDING
        self.text = <uint32_t*>PyMem_Calloc(size + PADDING, sizeof(uint32_t))
        self.ends = <uint8_t*>PyMem_Calloc(size, sizeof(uint8_t))
        self.cuts = <Py_ssize_t*>PyMem_Calloc(size, sizeof(Py_ssize_t))
        self.nodes = <uint32_t*>PyMem_Calloc(size, sizeof(uint32_t))
        self.way_ends = <Py_ssize_t*>PyMem_Calloc(size, sizeof(Py_ssize_t))
        self.way_nodes = <uint32_t*>PyMem_Calloc(size, sizeof(uint32_t))
        self.first_way = <Py_ssize_t*>PyMem_Calloc(size, sizeof(Py_ssize_t))
        self.last_way = <Py_ssize_t*>PyMem_Calloc(size, sizeof(Py_ssize_t))
        self.before = <Py_ssize_t*>PyMem_Calloc(size, sizeof(Py_ssize_t))
        self.node_before = <uint32_t*>PyMem_Calloc(size, sizeof(uint32_t))
        self.queue = <Py_ssize_t*>PyMem_Calloc(size, sizeof(Py_ssize_t))
        if (self.text == NULL or self.ends == NULL or self.cuts == NULL or self.nodes == NULL
                or self.way_ends == NULL or self.way_nodes == NULL or self.first_way == NULL
                or self.last_way == NULL or self.before == NULL or self.node_before == NULL
                or self.queue == NULL):
            raise MemoryError()

    def __dealloc__(self):
        PyMem_Free(self.text)
        PyMem_Free(self.ends)
        PyMem_Free(self.cuts)
        PyMem_Free(self.nodes)
        PyMem_Free(self.way_ends)
        PyMem_Free(self.way_nodes)
        PyMem_Free(self.first_way)
        PyMem_Free(self.last_way)
        PyMem_Free(self.before)
        PyMem_Free(self.node_before)
        PyMem_Free(self.queue)

    cdef int read(self, text) except -1:
        """Take a text over, and mark where its clusters end."""
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text), place
        cdef const uint32_t* at = self.text
        if size:
            PyUnicode_AsUCS4(text, <Py_UCS4*>self.text, size, 0)
        memset(self.text + size, 0, PADDING * sizeof(uint32_t))
        memset(self.ends, 0, size + 1)
        for place in range(size + 1):
            self.before[place] = -1
        while at < self.text + size:
            at = cluster_end(at, self.text + size)
            self.ends[at - self.text] = 1
        return 0


cdef class Newmm:
    """newmm's words by a dictionary."""

    cdef _Trie trie
    cdef list strings  # by node: the word, once it was needed
    cdef bint join_numbers

    def __cinit__(self, words, bint join_numbers):
        self.trie = _Trie(words)
        self.strings = [None] * self.trie.nodes
        self.join_numbers = join_numbers

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
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(line), begin = 0, word
        room.read(line)
        self.find_words(room, size)
        if self.join_numbers:
            join_numbers(room, size)
        for word in range(room.words):
            if room.nodes[word] != 0:
                words.append(self.string(line, room.nodes[word], begin, room.cuts[word]))
            elif not is_blank(room.text, begin, room.cuts[word]):
                words.append(PyUnicode_Substring(line, begin, room.cuts[word]))
            begin = room.cuts[word]
        return words

    cdef object string(self, line, uint32_t node, Py_ssize_t begin, Py_ssize_t end):
        """The string of a node: one for all its places, which makes counting faster."""
        word = self.strings[node]
        if word is None:
            word = self.strings[node] = PyUnicode_Substring(line, begin, end)
        return word

    cdef void find_words(self, _Room room, Py_ssize_t size) noexcept:
        cdef Py_ssize_t place = 0, ways
        room.words = 0
        while place < size:
            room.ways = 0
            ways = self.find_ways(room, place, size)
            if ways == 0:
                place = self.skip(room, place, size)
                room.nodes[room.words] = 0
                room.cuts[room.words] = place
                room.words += 1
            elif ways == 1:
                place = room.way_ends[0]
                room.nodes[room.words] = room.way_nodes[0]
                room.cuts[room.words] = place
                room.words += 1
            else:
                place = self.find_path(room, place, size)

    cdef Py_ssize_t find_ways(self, _Room room, Py_ssize_t place, Py_ssize_t size) noexcept:
        """Add the dictionary words from a place on, the shortest first; return how many."""
        cdef uint32_t node = 0
        cdef Py_ssize_t end = place
        room.first_way[place] = room.ways
        while end < size:
            node = self.trie.child(node, room.text[end])
            if node == 0:
                break
            end += 1
            if room.ends[end] and self.trie.ends[node]:
                room.way_ends[room.ways] = end
                room.way_nodes[room.ways] = node
                room.ways += 1
                if room.ways > MOST_WAYS:
                    break
        room.last_way[place] = room.ways
        return room.ways - room.first_way[place]

    cdef Py_ssize_t find_path(self, _Room room, Py_ssize_t start, Py_ssize_t size) noexcept:
        """Follow the ways from `start` to where all meet; add the words on the best path there.

        It has the fewest words, and among equals the shorter one at the first difference.
        """
        cdef Py_ssize_t pending[MOST_PENDING]  # places yet to look at, in order, the nearest last
        cdef int count = 0, index
        cdef Py_ssize_t place = start, way, end, goal
        while True:
            for way in range(room.first_way[place], room.last_way[place]):
                end = room.way_ends[way]
                index = count
                while index > 0 and pending[index - 1] < end:
                    index -= 1
                if index > 0 and pending[index - 1] == end:
                    continue
                memmove(pending + index + 1, pending + index, (count - index) * sizeof(Py_ssize_t))
                pending[index] = end
                count += 1
            if count == 1:
                break
            count -= 1
            place = pending[count]
            self.find_ways(room, place, size)
        goal = pending[0]
        self.search(room, start, goal)
        return goal

    cdef void search(self, _Room room, Py_ssize_t start, Py_ssize_t goal) noexcept:
        """Add the words on the best path, by a breadth-first search."""
        cdef Py_ssize_t head = 0, tail = 1, place, way, end, word, steps = 0
        room.queue[0] = start
        while room.before[goal] < 0:
            place = room.queue[head]
            head += 1
            for way in range(room.first_way[place], room.last_way[place]):
                end = room.way_ends[way]
                if room.before[end] < 0:
                    room.before[end] = place
                    room.node_before[end] = room.way_nodes[way]
                    room.queue[tail] = end
                    tail += 1
        place = goal
        while place != start:
            steps += 1
            place = room.before[place]
        room.words += steps
        word = room.words
        place = goal
        while place != start:
            word -= 1
            room.cuts[word] = place
            room.nodes[word] = room.node_before[place]
            place = room.before[place]

    cdef Py_ssize_t skip(self, _Room room, Py_ssize_t place, Py_ssize_t size) noexcept:
        """Where the text ends that starts at a place where no word does."""
        cdef Py_ssize_t end = foreign_end(room.text, place, size)
        if end >= 0:
            return end
        for end in range(place + 1, size):
            if room.ends[end] and (
                foreign_end(room.text, end, size) >= 0 or self.has_strong_word(room, end, size)
            ):
                return end
        return size

    cdef bint has_strong_word(self, _Room room, Py_ssize_t place, Py_ssize_t size) noexcept:
        """Whether a word starts here, other than of one or two consonants."""
        cdef Py_ssize_t way, length
        room.ways = 0
        self.find_ways(room, place, size)
        for way in range(room.ways):
            length = room.way_ends[way] - place
            if (length > 2 or not is_consonant(room.text[place])
                    or (length == 2 and not is_consonant(room.text[place + 1]))):
                return True
        return False


cdef inline bint is_blank(const uint32_t* text, Py_ssize_t begin, Py_ssize_t end) noexcept:
    cdef Py_ssize_t place
    for place in range(begin, end):
        if not (<Py_UCS4>text[place]).isspace():
            return False
    return True


cdef void join_numbers(_Room room, Py_ssize_t size) noexcept:
    """Join the words that make a number such as 12:30 or 1.000,5.

    A word that began before the number stays as it is, and the joining starts behind it.
    """
    cdef Py_ssize_t begin = 0, end = 0, word, cut, kept = 0
    cdef bint joining = False, joined = False
    cdef bint found = next_number(room.text, size, &begin, &end)
    if not found:
        return
    for word in range(-1, room.words):
        cut = room.cuts[word] if word >= 0 else 0
        while found and cut >= end:
            found = next_number(room.text, size, &begin, &end)
            joining = False
        if found and cut >= begin:
            if joining:
                joined = True
                continue
            joining = True
        if word >= 0:
            room.cuts[kept] = cut
            room.nodes[kept] = 0 if joined else room.nodes[word]
            kept += 1
            joined = False
    room.words = kept


cdef bint next_number(
    const uint32_t* text, Py_ssize_t size, Py_ssize_t* begin, Py_ssize_t* end
) noexcept:
    """Find the next number with signs in it from `end` on; return whether there is one."""
    cdef Py_ssize_t place = end[0]
    cdef bint signs
    while place < size:
        if not is_digit(text[place]):
            place += 1
            continue
        begin[0] = place
        signs = False
        while True:
            while place < size and is_digit(text[place]):
                place += 1
            if not (place + 1 < size and is_digit(text[place + 1]) and (
                text[place] == c'.' or text[place] == c',' or text[place] == c':'
            )):
                break
            signs = True
            place += 1
        if signs:
            end[0] = place
            return True
    return False
